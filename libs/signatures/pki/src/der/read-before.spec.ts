import { describe, expect, it } from '@jest/globals';

import { ReadBefore } from './read-before.js';

const value = (der: Buffer) => ({ der });

describe('a value that was read before', () => {
  it('is found by the same bytes, in whatever buffer they are', () => {
    const [values, one] = [new ReadBefore(10), value(Buffer.from('what was read, and its signature'))];
    values.add(one);
    expect(values.find(Buffer.from(one.der))).toBe(one);
    expect(values.find(Uint8Array.from(one.der))).toBe(one);
  });

  it('is not found after the change of any one byte, nor by more or fewer bytes', () => {
    const [values, der] = [new ReadBefore(10), Buffer.from('what was read, and its signature')];
    values.add(value(der));
    for (let at = 0; at < der.length; at += 1) {
      const changed = Buffer.from(der);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(values.find(changed)).toBeUndefined();
    }
    for (const other of [der.subarray(1), Buffer.concat([Buffer.of(0), der]), Buffer.alloc(0)]) expect(values.find(other)).toBeUndefined();
  });

  it('makes place for one that ends in the same bytes', () => {
    const values = new ReadBefore(10);
    const [one, other] = ['one', 'other'].map((begin) => value(Buffer.from(`${begin} with the same end of twenty bytes`))) as [
      { der: Buffer },
      { der: Buffer },
    ];
    values.add(one);
    values.add(other);
    expect([values.find(one.der), values.find(other.der)]).toEqual([undefined, other]);
  });

  it('is forgotten when it was used longest ago and there are more than may be kept', () => {
    const values = new ReadBefore(2);
    const [a, b, c] = ['a', 'b', 'c'].map((text) => value(Buffer.from(text))) as [{ der: Buffer }, { der: Buffer }, { der: Buffer }];
    values.add(a);
    values.add(b);
    values.find(a.der);
    values.add(c);
    expect([a, b, c].map(({ der }) => values.find(der))).toEqual([a, undefined, c]);
  });
});
