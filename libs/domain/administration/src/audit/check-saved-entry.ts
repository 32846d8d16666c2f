import { isDeepStrictEqual } from 'node:util';

import { type EventProof, type Leaf, type SignedCheckpoint, streamDigest, verifyProof } from '#engines/transparency-log';
import { epochSeconds, sha256Base64url } from '#kernel';

import { AUDIT_STREAM, AUDIT_TRAIL } from '../streams.js';
import { PHASES } from './list-audit-entries.js';

/** The entry is not what was published, or its proof proves something else. */
export class EntryRefused extends Error {}

/** What is shown of an entry that was saved from an answer of `GET /audit?proofs=true`. */
export interface SavedEntry {
  readonly sequence: number;
  /** PROVEN: the published history has the entry, word for word. PENDING: it was younger than the checkpoint. */
  readonly state: 'PROVEN' | 'PENDING';
}

/**
 * Checks an entry that was saved, by the checkpoint that was saved with it and that the caller has verified. Nothing of the service is needed. Throws {@link EntryRefused}, and HistoryRefused for a
 * proof that does not lead to the checkpoint.
 */
export const checkSavedEntry = (saved: unknown, checkpoint: SignedCheckpoint): SavedEntry => {
  const { proof, ...entry } = Object(saved) as Readonly<Record<string, unknown>>;
  const { sequence } = entry;
  if (!Number.isSafeInteger(sequence)) throw new EntryRefused('the file has an entry without a sequence');
  const refused = (reason: string): EntryRefused => new EntryRefused(`entry ${String(sequence)}: ${reason}`);
  const { state, data } = Object(proof) as Readonly<Record<string, unknown>>;
  if (state === 'PENDING') return { sequence: sequence as number, state };
  if (state !== 'PROVEN' || !isProof(proof)) throw refused('it has no proof');
  const leaf = verifyProof(proof, checkpoint);
  if (!isOfEntry(leaf, entry)) throw refused('the proof is that of another entry');
  if (typeof data !== 'string' || sha256Base64url(data) !== leaf.dataHash) throw refused('its data are not those that were published');
  if (!isDeepStrictEqual(contentOf(data), withoutPlace(entry))) throw refused('it says something else than the data that were published');
  return { sequence: sequence as number, state };
};

const isProof = (proof: unknown): proof is EventProof => {
  const { leafIndex, leaf, hashes } = proof as Partial<EventProof>;
  return Number.isSafeInteger(leafIndex) && typeof leaf === 'string' && Array.isArray(hashes) && hashes.every((hash) => typeof hash === 'string');
};

const isOfEntry = ({ category, stream, revision, type }: Leaf, { sequence, phase }: Readonly<Record<string, unknown>>): boolean =>
  category === AUDIT_TRAIL.category &&
  stream === streamDigest(AUDIT_STREAM) &&
  revision === sequence &&
  (PHASES as Readonly<Record<string, string>>)[type] === phase;

/** As an answer shows it. Undefined of data that are none of an entry: the leaf proves who has published them, and nothing more. */
const contentOf = (data: string): object | undefined => {
  try {
    const content = Object(JSON.parse(data)) as { readonly at?: unknown };
    return { ...content, at: epochSeconds(Number(content.at)) };
  } catch {
    return undefined;
  }
};

const withoutPlace = ({ sequence: _, phase: __, ...content }: Readonly<Record<string, unknown>>): object => content;
