import { retryAfterOf } from './retry-after.js';

const NOW = Date.UTC(2026, 0, 1);

/** A zone that is not UTC: a date without a zone must not be read as local time. */
const zone = process.env['TZ'];
beforeAll(() => void (process.env['TZ'] = 'America/New_York'));
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it.each([
  [undefined, undefined],
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
  ['Thu Jan  1 00:01:00 2026', 60_000],
  ['9999999999', 9_999_999_999_000],
  ['2027', 2_027_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT+0000', 60_000],
  ['120 seconds', undefined],
  ['soon', undefined],
  ['-60', undefined],
  ['60.5', undefined],
  ['2027-01-01', undefined],
  ['-1x', undefined],
  ['', undefined],
])('Retry-After: %s asks for %s ms', (header, wait) => {
  expect(retryAfterOf(header, NOW)).toBe(wait);
});
