import { fingerprintGroups } from './fingerprint-groups.js';

describe('a fingerprint', () => {
  it('is split into groups of eight characters, of which the first and the last stand out', () => {
    const groups = fingerprintGroups('0123456789ABCDEF'.repeat(8));
    expect(groups).toHaveLength(16);
    expect(groups.map(({ text }) => text).join('')).toBe('0123456789abcdef'.repeat(8));
    expect(groups.flatMap(({ emphasised }, index) => (emphasised ? [index] : []))).toEqual([0, 15]);
  });

  it('of no characters has no group', () => {
    expect(fingerprintGroups('')).toEqual([]);
  });
});
