import { fromBase64 } from '#kernel';
import type { StreamName } from '#engines/event-store';

import type { LogHead } from './known-leaf.js';
import type { KnownLeaves } from './known-leaves.js';
import { streamDigest } from './leaf.js';
import type { MerkleTree } from './merkle-tree.js';

const WORD = 'head ';
const LINE = /^head (?<stream>[\w-]{43}) (?<index>\d{1,15}) (?<revision>\d{1,15}) (?<hash>[\w+/]{43}=)$/;

/** Whether the line of a checkpoint should name a head. */
export const isHeadLine = (line: string): boolean => line.startsWith(WORD);

export const headLine = ({ stream, index, revision, hash }: LogHead): string => `${WORD}${stream} ${index} ${revision} ${hash.toString('base64')}`;

/** Undefined for a line that names none. */
export const parseHead = (line: string): LogHead | undefined => {
  const { stream = '', index, revision, hash = '' } = LINE.exec(line)?.groups ?? {};
  const bytes = fromBase64(hash);
  return bytes && index !== undefined ? { stream, index: Number(index), revision: Number(revision), hash: bytes } : undefined;
};

/** The heads of these streams under a checkpoint of so many leaves. A stream without a leaf has none. */
export const headsUnder = (known: KnownLeaves, streams: readonly StreamName[], size: number): readonly LogHead[] =>
  streams.flatMap((name): readonly LogHead[] => {
    const stream = streamDigest(name);
    for (const leaf of known.of(stream)) if (leaf.index < size) return [{ stream, ...leaf }];
    return [];
  });

/** The head that is no leaf of the tree; undefined where all of them are. The tree has the leaves of the checkpoint. */
export const unprovenHead = (tree: MerkleTree, heads: readonly LogHead[]): LogHead | undefined =>
  heads.find(({ index, hash }) => !tree.leaf(index).equals(hash));
