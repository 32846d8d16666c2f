import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { changedInputs, corpusNames, corpusOf } from './inputs.ts';
import { type FuzzedParser, PARSERS } from './parsers.ts';

/** `npm run test:fuzz` sets a larger number, and takes a new seed each time. */
const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? 22_000);
const SEED = process.env['FUZZ_INPUTS'] === undefined ? 16 : Math.floor(Math.random() * 2 ** 31);
const EACH = Math.ceil(INPUTS / corpusNames().length);
/** Milliseconds of processor time for one input. The slowest takes a few. */
const SLOWEST = 2_000;
/** How often an input is read that took longer. */
const READINGS = 3;
/** Bytes that half of the inputs of all parsers may leave behind. */
const GROWTH = 32 * 1024 * 1024;
/** Milliseconds: of one parser. */
const TIME_LIMIT = 90_000 + EACH * 20;

/** Milliseconds of processor time that the parser needs. Throws when it ends by another error than its refusals. */
const costOf = async ({ reads, refusals }: FuzzedParser, input: Buffer): Promise<number> => {
  const before = process.cpuUsage();
  for (const parse of reads) {
    try {
      await parse(input);
    } catch (error) {
      if (!refusals.some((refusal) => error instanceof refusal)) throw error;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Throws when the parser takes too long each time: a collection of the process's whole heap may fall into one reading, and costs seconds. */
const read = async (parser: FuzzedParser, input: Buffer, slowest = SLOWEST): Promise<void> => {
  const costs: number[] = [];
  while (costs.length < READINGS) {
    const cost = await costOf(parser, input);
    if (cost <= slowest) return;
    costs.push(cost);
  }
  throw new Error(`took ${costs.join(', ')} ms of processor time`);
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use after a garbage collection. */
const used = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

it('the corpus has inputs for each parser', () => {
  expect([...corpusNames()].toSorted()).toEqual(Object.keys(PARSERS).toSorted());
  for (const name of corpusNames()) expect(corpusOf(name).length).toBeGreaterThanOrEqual(4);
});

const readChanged = (name: string, parser: FuzzedParser, seed: number, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(changedInputs(corpusOf(name)), (input) => read(parser, input)),
    { seed, numRuns },
  );

describe.each(Object.entries(PARSERS))('the parsers of %s', (name, parser) => {
  it('take or refuse each input of the corpus', async () => {
    for (const input of corpusOf(name)) await read(parser, input);
  });

  it('take or refuse every changed input, in bounded time', () => readChanged(name, parser, SEED, Math.ceil(EACH / 2)), TIME_LIMIT);
});

// Measures the memory once for all parsers: in a process with a large heap each measurement costs seconds.
it(
  'the parsers keep no memory of as many further inputs',
  async () => {
    const before = used();
    for (const [name, parser] of Object.entries(PARSERS)) await readChanged(name, parser, SEED + 1, Math.ceil(EACH / 2));
    expect(used() - before).toBeLessThan(GROWTH);
  },
  TIME_LIMIT * Object.keys(PARSERS).length,
);

it('an input that takes too long is found', async () => {
  await expect(read(PARSERS['der']!, corpusOf('der')[0]!, 0)).rejects.toThrow('of processor time');
});

it('an error that is no refusal is found', async () => {
  const wrong = (): never => {
    throw new TypeError('a bug');
  };
  await expect(read({ reads: [wrong], refusals: [RangeError] }, Buffer.alloc(0))).rejects.toThrow('a bug');
  await expect(read({ reads: [wrong], refusals: [TypeError] }, Buffer.alloc(0))).resolves.toBeUndefined();
});
