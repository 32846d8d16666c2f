import { HistoryRefused } from './history-refused.js';
import { parseLeaf } from './leaf.js';
import { BUNDLE } from './leaf-bundles.js';
import { unprovenHead } from './log-heads.js';
import { leafHash } from './merkle-hashes.js';
import { MerkleTree } from './merkle-tree.js';
import type { PublishedLog, SignedCheckpoint } from './published-log.js';

/** What was found right. */
export interface VerifiedHistory {
  /** The newest one. */
  readonly checkpoint: SignedCheckpoint;
  /** How many leaves there are of each type of event. */
  readonly types: ReadonlyMap<string, number>;
}

/**
 * Checks all that was published as a reader who has no store and no secret: the signature, the root over the leaves, and that the history begins with each earlier checkpoint that the reader has kept.
 * Undefined where nothing was published yet. Throws {@link HistoryRefused} where the leaves are not those that were signed, NoteRefused for a checkpoint of another party or where leaves are missing,
 * and PlaceUnavailable.
 */
export const verifyPublished = async (log: PublishedLog, earlier: readonly SignedCheckpoint[] = []): Promise<VerifiedHistory | undefined> => {
  const checkpoint = await log.newest();
  const [longest] = earlier.toSorted((a, b) => b.size - a.size);
  if (longest && (checkpoint?.size ?? 0) < longest.size)
    throw new HistoryRefused(
      checkpoint
        ? `the newest checkpoint has ${checkpoint.size} leaves, and one of ${longest.size} was signed before: an older copy was put back`
        : `no checkpoint is published any more, and one of ${longest.size} leaves was signed before: the place was emptied`,
    );
  if (!checkpoint) return undefined;
  const { tree, types } = await readLeaves(log, checkpoint.size);
  if (!tree.root().equals(checkpoint.root)) throw new HistoryRefused(`the ${checkpoint.size} leaves have not the root that was signed`);
  const head = unprovenHead(tree, checkpoint.heads);
  if (head) throw new HistoryRefused(`leaf ${head.index} is not the head that the checkpoint names`);
  for (const { size, root } of earlier)
    if (!tree.root(size).equals(root))
      throw new HistoryRefused(`the history does not begin with the checkpoint of ${size} leaves that was signed before`);
  return { checkpoint, types };
};

const readLeaves = async (log: PublishedLog, size: number): Promise<{ readonly tree: MerkleTree; readonly types: ReadonlyMap<string, number> }> => {
  const tree = new MerkleTree();
  const types = new Map<string, number>();
  const take = (text: string): void => {
    const leaf = parseLeaf(text);
    if (!leaf) throw new HistoryRefused(`leaf ${tree.size} is no leaf`);
    types.set(leaf.type, (types.get(leaf.type) ?? 0) + 1);
    tree.append(leafHash(text));
  };
  // The last part first: a writer forgets it after two further checkpoints.
  const full = size - (size % BUNDLE);
  const last: string[] = [];
  for await (const texts of log.leaves(full, size)) last.push(...texts);
  for await (const texts of log.leaves(0, full)) for (const text of texts) take(text);
  for (const text of last) take(text);
  return { tree, types };
};
