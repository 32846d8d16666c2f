import { dayText, daysText, timeText } from './time-text.js';

describe('a time of the API', () => {
  it('is written as the reader writes it, from epoch seconds and from RFC 3339 alike', () => {
    expect(timeText(1_764_000_000, 'de')).toBe(timeText('2025-11-24T16:00:00.000Z', 'de'));
    expect(timeText(1_764_000_000, 'de')).toContain('2025');
  });

  it.each([undefined, null, '', 'yesterday', {}, Number.MAX_VALUE])('is empty when it is none: %p', (at) => {
    expect(timeText(at, 'en')).toBe('');
  });
});

describe('a day of the API', () => {
  it('is the same day in every time zone', () => {
    expect(dayText('2026-11-23', 'de')).toBe('23.11.2026');
    expect(dayText('2026-01-01', 'en')).toBe('Jan 1, 2026');
  });

  it.each(['', '2026-13-01', '2026-11-23T00:00:00Z', 'today'])('is empty when it is none: %j', (day) => {
    expect(dayText(day, 'en')).toBe('');
  });
});

it('a number of days is written in the language of the reader', () => {
  expect([daysText(1, 'en'), daysText(90, 'en'), daysText(90, 'de')]).toEqual(['1 day', '90 days', '90 Tage']);
});
