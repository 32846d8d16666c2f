import { isCountryCode } from '#kernel';

/** Where no zone is known. A date begins nowhere later than at UTC−12. */
const LAST_ZONE = '-12:00';
/** CLDR's code of an unknown region, which has no zones. All texts that are no country share it, so the memory has a bound. */
const UNKNOWN = 'ZZ';

/** The dates in countries. Remembers the calendars of each country that it was asked for: making one takes longer than reading it. */
export class CountryCalendars {
  readonly #made = new Map<string, readonly Intl.DateTimeFormat[]>();

  /**
   * The date in a country, YYYY-MM-DD, at `now`, in milliseconds since 1970. Where a country has several time zones, the date that the last of them has
   * reached: so no person becomes older before the birthday (specification/sessions.md#identity-properties). A text that is no country code of ISO 3166-1, and
   * a country without a zone in ICU, which brings the zones of the IANA time zone database, have the date at UTC−12.
   */
  dateIn(country: string, now: number): string {
    const dates = this.#calendarsOf(country).map((calendar) => dateBy(calendar, now));
    return dates.toSorted()[0]!;
  }

  #calendarsOf(country: string): readonly Intl.DateTimeFormat[] {
    const key = isCountryCode(country) ? country : UNKNOWN;
    const calendars = this.#made.get(key) ?? zonesOf(key).map(calendarOf);
    this.#made.set(key, calendars);
    return calendars;
  }
}

const zonesOf = (region: string): readonly string[] => {
  // undefined only without a region
  const zones = new Intl.Locale(`und-${region}`).getTimeZones()!;
  return zones.length > 0 ? zones : [LAST_ZONE];
};

const calendarOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', { timeZone, calendar: 'iso8601', year: 'numeric', month: '2-digit', day: '2-digit' });

const dateBy = (calendar: Intl.DateTimeFormat, now: number): string => {
  const parts = new Map(calendar.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
};
