import type { RecordedEvent } from '#engines/event-store';

import type { KnownLeaf } from './known-leaf.js';
import type { KnownLeaves } from './known-leaves.js';
import { leafOf, leafText, streamDigest } from './leaf.js';
import { leafHash } from './merkle-hashes.js';
import type { SignedCheckpoint } from './published-log.js';

/** That one event is a leaf under a checkpoint (RFC 6962 §2.1.1). */
export interface EventProof {
  readonly leafIndex: number;
  /** The line that is hashed: category, SHA-256 of the stream's name, revision, type, id, MAC, and of some events the SHA-256 of the data. */
  readonly leaf: string;
  /** From the one beside the leaf on up to the root, base64. */
  readonly hashes: readonly string[];
}

export interface ProvenEvents {
  /** The checkpoint that the proofs are of, a signed note (C2SP tlog-checkpoint). Absent before the first one. */
  readonly checkpoint?: string;
  /** In the order of the events. Undefined of one that is younger than the checkpoint. */
  readonly proofs: readonly (EventProof | undefined)[];
}

/** Proves events of one stream that were read. Takes some dozens of hashes for each, however many leaves there are. */
export const proveEvents = (
  { known, checkpoint }: { readonly known: KnownLeaves; readonly checkpoint: SignedCheckpoint | undefined },
  events: readonly RecordedEvent[],
): ProvenEvents => {
  if (!checkpoint) return { proofs: events.map(() => undefined) };
  const leaves = leavesOf(known, events);
  const proofs = events.map((event): EventProof | undefined => {
    const found = leaves.get(event.revision);
    const leaf = leafText(leafOf(event));
    if (!found || found.index >= checkpoint.size || !found.hash.equals(leafHash(leaf))) return undefined;
    const hashes = known.tree.inclusionProof(found.index, checkpoint.size);
    return { leafIndex: found.index, leaf, hashes: hashes.map((hash) => hash.toString('base64')) };
  });
  return { checkpoint: checkpoint.note, proofs };
};

/** By the revision of the event. */
const leavesOf = (known: KnownLeaves, events: readonly RecordedEvent[]): ReadonlyMap<number, KnownLeaf> => {
  const found = new Map<number, KnownLeaf>();
  const [first] = events;
  if (!first) return found;
  const revisions = events.map(({ revision }) => revision);
  const least = Math.min(...revisions);
  for (const leaf of known.of(streamDigest(first.stream), Math.max(...revisions))) {
    if (leaf.revision < least) break;
    found.set(leaf.revision, leaf);
  }
  return found;
};
