import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

const CORPUS = join(import.meta.dirname, 'corpus');
/** The longest input in bytes: about the server's limit for headers. */
const LONGEST = 16_384;
/** Bytes that mean something to one of the parsers. */
const SPECIAL = Buffer.from('\0\t\n "%&+,-./:;<=>?@[\\]{}\x7f\x80\xff\x30\x82PK', 'latin1');

/** The names of the files in `corpus`, without their ending. */
export const corpusNames = (): readonly string[] => readdirSync(CORPUS).map((file) => file.replace(/\.json$/, ''));

/** The inputs that a file in `corpus` holds. An input that ever broke a parser is added there. */
export const corpusOf = (name: string): readonly Buffer[] => {
  const { text = [], base64 = [] } = JSON.parse(readFileSync(join(CORPUS, `${name}.json`), 'utf8')) as Record<
    'text' | 'base64',
    string[] | undefined
  >;
  return [...text.map((input) => Buffer.from(input)), ...base64.map((input) => Buffer.from(input, 'base64'))];
};

interface Edit {
  readonly kind: 'flip' | 'set' | 'insert' | 'remove' | 'cut' | 'repeat';
  /** Where, as a share of the input. */
  readonly at: number;
  readonly length: number;
  readonly byte: number;
}

/** Inputs of the corpus, each changed in up to four places. */
export const changedInputs = (corpus: readonly Buffer[]): fc.Arbitrary<Buffer> => {
  const edit: fc.Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom('flip', 'set', 'set', 'insert', 'insert', 'remove', 'remove', 'cut', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 24 }),
    byte: fc.oneof(fc.constantFrom(...SPECIAL), fc.nat(255)),
  });
  return fc.tuple(fc.constantFrom(...corpus), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([input, edits]) => edits.reduce(changed, input));
};

const changed = (input: Buffer, { kind, at, length, byte }: Edit): Buffer => {
  const start = Math.floor(at * input.length);
  const [before, here, after] = [input.subarray(0, start), input.subarray(start, start + length), input.subarray(start + length)];
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, here.map((old) => old ^ (1 << (byte % 8))), after]);
    case 'set':
      return Buffer.concat([before, Buffer.alloc(Math.min(1, here.length), byte), input.subarray(start + 1)]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, byte), here, after]);
    case 'remove':
      return Buffer.concat([before, after]);
    case 'cut':
      return before;
    case 'repeat':
      return Buffer.concat([before, ...Array.from({ length: byte * 8 }, () => here), after]).subarray(0, LONGEST);
  }
};
