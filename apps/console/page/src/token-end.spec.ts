import { tokenEnd } from './token-end.js';

describe('the end of a token', () => {
  it('is the same for two persons who make the token in the course of one day, so that four eyes can meet', () => {
    const end = tokenEnd(Date.parse('2026-11-24T00:00:00.000Z'), 30);
    expect(tokenEnd(Date.parse('2026-11-24T23:59:59.999Z'), 30)).toBe(end);
    expect(new Date(end * 1000).toISOString()).toBe('2026-12-25T00:00:00.000Z');
  });

  it('is never earlier than the days that the person chose, and within the 400 days of the service', () => {
    const now = Date.parse('2026-11-24T23:59:59.999Z');
    expect(tokenEnd(now, 1) * 1000 - now).toBeGreaterThan(86_400_000);
    expect(tokenEnd(Date.parse('2026-11-24T00:00:00Z'), 365)).toBeLessThan(Date.parse('2026-11-24T00:00:00Z') / 1000 + 400 * 86_400);
  });
});
