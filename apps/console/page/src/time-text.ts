/** A time of the API, epoch seconds or RFC 3339, as the reader writes it, in the time zone of the browser. Empty when it is no time. */
export const timeText = (at: unknown, locale: string): string => {
  const date = new Date(typeof at === 'number' ? at * 1000 : typeof at === 'string' ? at : NaN);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
};

/** A day of the API, YYYY-MM-DD, as the reader writes it. Empty when it is no day. */
export const dayText = (day: string, locale: string): string => {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : NaN);
  if (Number.isNaN(date.getTime())) return '';
  // The day is a day in UTC, so it is also written in UTC.
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
};

/** A number of days as the reader writes it. */
export const daysText = (count: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(count);
