import type { Random } from './random.js';

type Change = (bytes: Buffer, at: number, random: Random) => Buffer;

const CHANGES: readonly Change[] = [
  // one bit
  (bytes, at, random) => {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    return changed;
  },
  // one byte, by a value that parsers treat in a special way
  (bytes, at, random) => {
    const changed = Buffer.from(bytes);
    changed[at] = random.pick([0, 1, 0x7f, 0x80, 0xff]);
    return changed;
  },
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), Buffer.of(random.below(256)), bytes.subarray(at)]),
  // the end is missing, or repeated
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) => Buffer.concat([bytes, bytes.subarray(at)]),
];

/** The bytes with one change at a random place. */
export const mutateBytes = (bytes: Buffer, random: Random): Buffer => random.pick(CHANGES)(bytes, random.below(bytes.length), random);
