import { fromBase64 } from '#kernel';

import { HistoryRefused } from './history-refused.js';
import { type Leaf, parseLeaf } from './leaf.js';
import { HASH_LENGTH, leafHash } from './merkle-hashes.js';
import { isIncluded } from './merkle-proofs.js';
import type { EventProof } from './prove-events.js';
import type { SignedCheckpoint } from './published-log.js';

/** The leaf that the proof shows to be under the checkpoint. Throws {@link HistoryRefused} for a proof that shows no leaf of it. */
export const verifyProof = ({ leafIndex, leaf: text, hashes }: EventProof, { size, root }: SignedCheckpoint): Leaf => {
  const leaf = parseLeaf(text);
  const proof = hashes.flatMap((hash) => fromBase64(hash) ?? []);
  const isWhole = proof.length === hashes.length && proof.every(({ length }) => length === HASH_LENGTH);
  if (!leaf || !isWhole || !isIncluded({ index: leafIndex, size, leaf: leafHash(text), root, proof }))
    throw new HistoryRefused(`the proof does not show that the leaf is under the checkpoint of ${size} leaves`);
  return leaf;
};
