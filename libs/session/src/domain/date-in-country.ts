import { isCountryCode } from '#kernel';

/** Where no zone is known. A date begins nowhere later than at UTC−12. */
const LAST_ZONE = '-12:00';

/** The calendars of the zones of each country that was asked for: making one takes longer than reading it. */
const calendars = new Map<string, readonly Intl.DateTimeFormat[]>();

/**
 * The date in a country, YYYY-MM-DD, at `now`, in milliseconds since 1970. Where a country has several time zones, the date that the last of them has reached:
 * so no person becomes older before the birthday (specification/sessions.md#identity-properties). A text that is no country code of ISO 3166-1, and a country
 * without a zone in ICU, which brings the zones of the IANA time zone database, have the date at UTC−12.
 */
export const dateInCountry = (now: number, country: string | undefined): string =>
  calendarsOf(country !== undefined && isCountryCode(country) ? country : '')
    .map((calendar) => dateBy(calendar, now))
    .reduce((last, date) => (date < last ? date : last));

const calendarsOf = (country: string): readonly Intl.DateTimeFormat[] => {
  const known = calendars.get(country);
  if (known) return known;
  const made = zonesOf(country).map(
    (timeZone) => new Intl.DateTimeFormat('en', { timeZone, calendar: 'iso8601', year: 'numeric', month: '2-digit', day: '2-digit' }),
  );
  calendars.set(country, made);
  return made;
};

const zonesOf = (country: string): readonly string[] => {
  const zones = country === '' ? [] : (new Intl.Locale(`und-${country}`).getTimeZones() ?? []);
  return zones.length === 0 ? [LAST_ZONE] : zones;
};

const dateBy = (calendar: Intl.DateTimeFormat, now: number): string => {
  const parts = new Map(calendar.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
};
