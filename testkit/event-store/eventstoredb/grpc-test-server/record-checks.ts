import { ANY, NO_STREAM, STREAM_EXISTS } from './log-entries.js';
import { type LogRows, metastreamOf } from './log-rows.js';
import { DELETED } from './stream-metadata.js';

/** The states that a check may expect, or a violation may tell, beside a revision. */
export const SOFT_DELETED = -5n;
export const TOMBSTONED = -6n;

/**
 * What the server makes of one stream of the call. `append`: its events, if it has any, are new. `repeated`: all of them are stored already. `pending`: they are, and are not
 * readable yet.
 */
export type RecordCheck =
  | { readonly decision: 'append'; readonly current: bigint; readonly softDeleted: boolean }
  | { readonly decision: 'repeated'; readonly current: bigint; readonly last: bigint; readonly position: bigint }
  | { readonly decision: 'pending' }
  | { readonly decision: 'violated'; readonly actual: bigint };

/** The parts of the log that a check looks at. `isPending`: whether reads do not show the event at this place yet. */
interface Looked {
  readonly rows: LogRows;
  readonly isPending: (stream: string, revision: bigint, position: bigint) => boolean;
}

/** IndexWriter.CheckCommit, 26.1. `ids`: of the events that the call appends to the stream; none for a stream that it only checks. */
export const checkRecords = ({ rows, isPending }: Looked, stream: string, expected: bigint, ids: readonly string[]): RecordCheck => {
  const current = rows.lastOf(stream);
  if (current === DELETED) {
    const isExpected = ids.length === 0 && [ANY, NO_STREAM, TOMBSTONED].includes(expected);
    return isExpected ? { decision: 'append', current, softDeleted: false } : { decision: 'violated', actual: TOMBSTONED };
  }
  const softDeleted = rows.metadataOf(stream).truncateBefore === DELETED;
  const append: RecordCheck = { decision: 'append', current, softDeleted };
  const violated: RecordCheck = { decision: 'violated', actual: current };
  const repeated = (last: bigint): RecordCheck => {
    const position = rows.positionOf(stream, last)!;
    return isPending(stream, last, position) ? { decision: 'pending' } : { decision: 'repeated', current, last, position };
  };

  if (expected === STREAM_EXISTS) {
    if (softDeleted) return { decision: 'violated', actual: SOFT_DELETED };
    if (current < 0n && rows.lastOf(metastreamOf(stream)) < 0n) return violated;
  }
  if (expected === ANY || expected === STREAM_EXISTS || expected === SOFT_DELETED) {
    const known = ids.map((id) => rows.revisionOf(stream, id));
    if (known[0] !== undefined) return known.includes(undefined) ? violated : repeated(known.at(-1)!);
    return expected === SOFT_DELETED && !softDeleted ? violated : append;
  }
  if (expected === current) return append;
  if (expected === TOMBSTONED || expected > current) return violated;
  const different = ids.findIndex((id, index) => rows.idOf(stream, expected + 1n + BigInt(index)) !== id);
  if (ids.length > 0 && different < 0) return repeated(expected + BigInt(ids.length));
  return expected === NO_STREAM && softDeleted && different <= 0 ? append : violated;
};
