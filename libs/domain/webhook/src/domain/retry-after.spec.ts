import { retryAfterOf } from './retry-after.js';

const NOW = Date.UTC(2026, 0, 1);

it.each([
  [undefined, undefined],
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT+0000', 60_000],
  ['120 seconds', undefined],
  ['soon', undefined],
  ['-1x', undefined],
  ['', undefined],
])('Retry-After: %s asks for %s ms', (header, wait) => {
  expect(retryAfterOf(header, NOW)).toBe(wait);
});
