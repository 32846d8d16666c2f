import { describe, expect, it } from '@jest/globals';

import { isCountryCode } from '#kernel';

import { CountryCalendars } from './country-calendars.js';

const SECOND = 1_000;
const HOUR = 3_600_000;
const at = (instant: string): number => Date.parse(instant);

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const countries = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode);
const zonesOf = (country: string): readonly string[] => new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
const formats = new Map<string, Intl.DateTimeFormat>();
/** The text of another locale: not how the code reads a date. */
const dateIn = (timeZone: string, now: number): string => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(now);
};

describe('the date in a country', () => {
  /** As on the first call in a process. */
  const dateInCountry = (now: number, country: string): string => new CountryCalendars().dateIn(country, now);

  it.each([
    // Hawaii, UTC−10. The outlying territories are countries of their own.
    ['US', '2026-06-15T10:00:00Z', '2026-06-15'],
    ['US', '2026-12-31T10:00:00Z', '2026-12-31'],
    ['UM', '2026-06-15T11:00:00Z', '2026-06-15'],
    ['AS', '2026-06-15T11:00:00Z', '2026-06-15'],
    ['PR', '2026-06-15T04:00:00Z', '2026-06-15'],
    ['FR', '2026-06-14T22:00:00Z', '2026-06-15'],
    ['FR', '2026-12-14T23:00:00Z', '2026-12-15'],
    // Kaliningrad, UTC+2.
    ['RU', '2026-06-14T22:00:00Z', '2026-06-15'],
    // Tarawa, UTC+12; Kiritimati is two hours ahead.
    ['KI', '2026-06-14T12:00:00Z', '2026-06-15'],
    // Auckland, behind Chatham by 45 minutes.
    ['NZ', '2026-06-14T12:00:00Z', '2026-06-15'],
    ['NZ', '2026-12-14T11:00:00Z', '2026-12-15'],
    ['EE', '2026-06-14T21:00:00Z', '2026-06-15'],
    ['EE', '2026-12-14T22:00:00Z', '2026-12-15'],
    ['', '2026-06-15T12:00:00Z', '2026-06-15'],
  ])('of %s begins at midnight in its last zone, %s', (country, midnight, date) => {
    const dayBefore = new Date(at(date) - SECOND).toISOString().slice(0, 10);
    expect(dateInCountry(at(midnight) - 1, country)).toBe(dayBefore);
    expect(dateInCountry(at(midnight), country)).toBe(date);
  });

  it.each([
    ['EE, the day that begins summer time has 23 hours', 'EE', '2026-03-28T22:00:00Z', '2026-03-29', 23],
    ['EE, the day that ends it has 25 hours', 'EE', '2026-10-24T21:00:00Z', '2026-10-25', 25],
    ['NZ, the day that begins summer time has 23 hours', 'NZ', '2026-09-26T12:00:00Z', '2026-09-27', 23],
    ['NZ, the day that ends it has 25 hours', 'NZ', '2026-04-04T11:00:00Z', '2026-04-05', 25],
    ['CU, a day may begin at one o’clock', 'CU', '2026-03-08T05:00:00Z', '2026-03-08', 23],
    ['US, Hawaii knows no summer time', 'US', '2026-03-08T10:00:00Z', '2026-03-08', 24],
  ])('%s', (_, country, begins, date, hours) => {
    const end = at(begins) + hours * HOUR;
    const dates = [at(begins) - 1, at(begins), end - 1, end].map((now) => dateInCountry(now, country));
    expect(dates.map((found) => found === date)).toEqual([false, true, true, false]);
  });

  it.each(['', 'none', 'XK', 'BV', 'HM', 'ZZ', 'XX', 'UK', 'EU', 'SU', 'ee', 'EST', 'EE-u-tz-eetll', '__proto__', 'EE\n'])(
    'of %j, which has no known zone, is that of UTC−12',
    (country) => {
      expect(dateInCountry(at('2026-01-01T11:59:59.999Z'), country)).toBe('2025-12-31');
      expect(dateInCountry(at('2026-01-01T12:00:00Z'), country)).toBe('2026-01-01');
    },
  );

  it('of each country of ISO 3166-1 is the date that all of its zones have reached, at each hour in which a day begins somewhere', () => {
    expect(countries.length).toBeGreaterThanOrEqual(249);
    const begins = at('2025-12-31T00:00:00Z');
    const hours = Array.from({ length: 27 }, (_, hour) => begins + (10 + hour) * HOUR);
    const calendars = new CountryCalendars();
    const wrong = countries.flatMap((country) => {
      const zones = zonesOf(country).length === 0 ? ['Etc/GMT+12'] : zonesOf(country);
      return hours
        .filter((now) => calendars.dateIn(country, now) !== zones.map((zone) => dateIn(zone, now)).toSorted()[0])
        .map((now) => [country, now]);
    });
    expect(wrong).toEqual([]);
  });

  it('is never later than the date of any of its zones around the change to summer time', () => {
    const calendars = new CountryCalendars();
    for (const country of ['CL', 'EG', 'LB', 'US', 'AU', 'PT', 'ES', 'GL', 'FM'])
      for (const day of ['2026-03-08', '2026-04-05', '2026-04-24', '2026-09-06', '2026-10-30'])
        for (let minute = 0; minute < 1_440; minute += 60) {
          const now = at(day) + minute * 60 * SECOND;
          expect([country, now, zonesOf(country).every((zone) => calendars.dateIn(country, now) <= dateIn(zone, now))]).toEqual([country, now, true]);
        }
  });

  it('is known for all countries but those without a zone in ICU', () => {
    expect(countries.filter((country) => zonesOf(country).length === 0).filter((country) => country !== 'XK')).toEqual(['BV', 'HM']);
  });

  it('is read from calendars that are made once for each country, and once for all texts that are none', () => {
    const Original = Intl.DateTimeFormat;
    const made: unknown[] = [];
    class Counted extends Original {
      constructor(...given: ConstructorParameters<typeof Original>) {
        super(...given);
        made.push(given);
      }
    }
    Intl.DateTimeFormat = Counted as typeof Original;
    try {
      const calendars = new CountryCalendars();
      for (const country of ['RU', 'EE', 'RU', 'EE', 'none', '', 'XX', 'RUS']) calendars.dateIn(country, at('2026-01-01'));
    } finally {
      Intl.DateTimeFormat = Original;
    }
    expect(made).toHaveLength(zonesOf('RU').length + zonesOf('EE').length + 1);
  });
});
