import { parseId } from './ids.js';
import { SystemRandomness } from './randomness.js';

describe('SystemRandomness', () => {
  const randomness = new SystemRandomness();

  it.each([0, 1, 12, 32, 255, 256, 257, 5_000])('gives %d bytes', (length) => {
    for (let time = 0; time < 50; time += 1) expect(randomness.bytes(length)).toHaveLength(length);
  });

  it('gives no bytes twice', () => {
    const given = Array.from({ length: 20_000 }, () => randomness.bytes(12).toString('hex'));
    expect(new Set(given).size).toBe(given.length);
    expect(given).not.toContain('00'.repeat(12));
  });

  it('gives bytes that belong to nobody else', () => {
    const mine = randomness.bytes(32);
    const before = mine.toString('hex');
    for (let time = 0; time < 1_000; time += 1) randomness.bytes(32).fill(0);
    expect(mine.toString('hex')).toBe(before);
  });

  it('gives every bit alike often', () => {
    const ones = new Array<number>(256).fill(0);
    const draws = 10_000;
    for (let draw = 0; draw < draws; draw += 1) {
      for (const [at, byte] of randomness.bytes(32).entries()) {
        for (let bit = 0; bit < 8; bit += 1) ones[at * 8 + bit]! += (byte >> bit) & 1;
      }
    }
    // Seven standard deviations of a fair coin: 1 run in a billion fails by chance.
    for (const count of ones) expect(Math.abs(count - draws / 2)).toBeLessThan(7 * Math.sqrt(draws / 4));
  });

  it('gives UUIDs of version 4', () => {
    const id = randomness.uuid();
    expect(parseId(id)).toBe(id);
    expect(id[14]).toBe('4');
  });
});
