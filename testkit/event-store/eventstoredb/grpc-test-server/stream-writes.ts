import {
  ANY,
  NO_STREAM,
  type Outcome,
  type ProposedEvent,
  type RecordsOutcome,
  type RecordsWrite,
  type Stored,
  STREAM_EXISTS,
} from './log-entries.js';
import { isMetastream, type LogRows, metastreamOf, originalOf } from './log-rows.js';
import { checkRecords, type RecordCheck } from './record-checks.js';
import { DELETED, withTruncateBefore } from './stream-metadata.js';

type Decision = { readonly decision: 'append'; readonly current: bigint; readonly softDeleted: boolean } | Exclude<Outcome, { result: 'never' }>;

/** The decisions of EventStoreDB's IndexWriter and StorageWriterService about one write, and its rows. */
export class StreamWrites {
  /** Of the leader that writes; 0 for a node without a cluster. */
  epoch = 0n;

  /** `isPending`: whether reads do not show the event at this place yet. */
  constructor(
    private readonly rows: LogRows,
    private readonly isPending: (stream: string, revision: bigint, position: bigint) => boolean,
  ) {}

  append(stream: string, expected: bigint, events: readonly ProposedEvent[]): Outcome {
    const check = this.#check(
      stream,
      expected,
      events.map(({ id }) => id),
    );
    if (!('decision' in check)) return check;
    const undeletesOriginal = isMetastream(stream) && this.rows.metadataOf(originalOf(stream)).truncateBefore === DELETED;
    const before = this.rows.position;
    let revision = check.current;
    for (const event of events) this.#write(stream, ++revision, event);
    const position = this.rows.position;
    if (check.softDeleted) this.#beginAgain(stream, check.current + 1n);
    if (undeletesOriginal) this.#beginAgain(originalOf(stream), this.rows.lastOf(originalOf(stream)) + 1n);
    const stored = { stream, revision: check.current + 1n, position: before + 1n };
    return { result: 'success', revision, position, ...(events.length > 0 && { stored: [stored] }) };
  }

  /** StorageWriterService.VerifyCommitChecks and its prepares, 26.1: all of it or nothing. */
  appendRecords(write: RecordsWrite): RecordsOutcome {
    const written = new Set(write.records.map(({ check }) => check));
    const checks = write.checks.map(({ stream, expected }, index): RecordCheck => {
      const ids = write.records.filter(({ check }) => check === index).map(({ event }) => event.id);
      return checkRecords({ rows: this.rows, isPending: this.isPending }, stream, expected, ids);
    });
    if (checks.some(({ decision }) => decision === 'pending')) return { result: 'pending' };
    if (checks.every((check) => check.decision === 'append')) return this.#writeRecords(write, checks);
    // A repetition is answered as the first one was, whatever the other checks say now.
    const repeated = [...written].map((index) => [index, checks[index]!] as const);
    if (repeated.every(([, check]) => check.decision === 'repeated')) return repetition(repeated);
    const violations = checks.flatMap((check, index) => {
      if (check.decision === 'violated') return [{ check: index, actual: check.actual }];
      return check.decision === 'repeated' ? [{ check: index, actual: check.current }] : [];
    });
    return { result: 'violated', violations };
  }

  #writeRecords({ checks: streams, records }: RecordsWrite, checks: readonly Extract<RecordCheck, { decision: 'append' }>[]): RecordsOutcome {
    const revisions = new Map<number, bigint>();
    const stored: Stored[] = [];
    for (const { check, event } of records) {
      const { stream } = streams[check]!;
      const revision = (revisions.get(check) ?? checks[check]!.current) + 1n;
      const before = this.rows.position;
      this.#write(stream, revision, event);
      if (!revisions.has(check)) stored.push({ stream, revision, position: before + 1n });
      revisions.set(check, revision);
    }
    const { position } = this.rows;
    for (const check of revisions.keys()) if (checks[check]!.softDeleted) this.#beginAgain(streams[check]!.stream, checks[check]!.current + 1n);
    return { result: 'success', revisions, position, stored };
  }

  /** IndexWriter.CheckCommit, 23.10.7. */
  #check(stream: string, expected: bigint, ids: readonly string[]): Decision {
    const current = this.rows.lastOf(stream);
    if (current === DELETED) return { result: 'stream-deleted' };
    const softDeleted = this.rows.metadataOf(stream).truncateBefore === DELETED;
    if (expected === STREAM_EXISTS) {
      if (softDeleted) return { result: 'stream-deleted' };
      if (current < 0n && this.rows.lastOf(metastreamOf(stream)) < 0n) return { result: 'wrong-expected-version', current };
    }
    if (expected === ANY || expected === STREAM_EXISTS) return this.#checkAny(stream, ids, { decision: 'append', current, softDeleted });
    if (expected < current) {
      const different = ids.findIndex((id, index) => this.rows.idOf(stream, expected + 1n + BigInt(index)) !== id);
      if (different < 0 && ids.length > 0) return this.#repeated(stream, expected + BigInt(ids.length), softDeleted);
      if (different === 0 && expected === NO_STREAM && softDeleted) return { decision: 'append', current, softDeleted };
    }
    return expected === current ? { decision: 'append', current, softDeleted } : { result: 'wrong-expected-version', current };
  }

  #checkAny(stream: string, ids: readonly string[], append: Decision & { current: bigint }): Decision {
    const known = ids.map((id) => this.rows.revisionOf(stream, id));
    if (known.length === 0 || known[0] === undefined) return append;
    const last = known.at(-1);
    if (known.includes(undefined) || last === undefined) return { result: 'wrong-expected-version', current: append.current };
    return this.#repeated(stream, last);
  }

  #repeated(stream: string, revision: bigint, softDeleted = false): Outcome {
    const position = this.rows.positionOf(stream, revision)!;
    return this.isPending(stream, revision, position)
      ? { result: 'pending' }
      : { result: 'success', revision, position: softDeleted ? undefined : position };
  }

  softDelete(stream: string, expected: bigint): Outcome {
    const check = this.#check(stream, expected, ['']);
    if (!('decision' in check)) return check;
    const metastream = metastreamOf(stream);
    const revision = this.rows.lastOf(metastream);
    if (check.current < 0n && revision < 0n) return { result: 'wrong-expected-version', current: NO_STREAM };
    this.#write(metastream, revision + 1n, systemEvent('$metadata', Buffer.from(`{"$tb":${DELETED}}`)));
    return { result: 'success', revision: check.current, position: this.rows.position };
  }

  hardDelete(stream: string, expected: bigint): Outcome {
    const check = this.#check(stream, expected, ['']);
    if (!('decision' in check)) return check;
    this.#write(stream, DELETED, { ...systemEvent('$streamDeleted', Buffer.alloc(0)), isJson: false });
    return { result: 'success', revision: check.current, position: this.rows.position };
  }

  /** StorageWriterService.SoftUndeleteStream. */
  #beginAgain(stream: string, from: bigint): void {
    const metastream = metastreamOf(stream);
    const data = withTruncateBefore(this.rows.lastData(metastream) ?? Buffer.from('{}'), from);
    this.#write(metastream, this.rows.lastOf(metastream) + 1n, systemEvent('$metadata', data));
  }

  #write(stream: string, revision: bigint, event: ProposedEvent): void {
    this.rows.write(stream, revision, event, this.epoch);
  }
}

const repetition = (repeated: readonly (readonly [number, RecordCheck])[]): RecordsOutcome => {
  const known = repeated.flatMap(([index, check]) => (check.decision === 'repeated' ? [{ index, ...check }] : []));
  const position = known.reduce((last, check) => (check.position > last ? check.position : last), 0n);
  return { result: 'success', revisions: new Map(known.map(({ index, last }) => [index, last])), position, stored: [] };
};

const systemEvent = (type: string, data: Uint8Array): ProposedEvent => ({
  id: crypto.randomUUID(),
  type,
  isJson: true,
  data,
  customMetadata: Buffer.alloc(0),
});
