import { ANY, NO_STREAM, type Outcome, type ProposedEvent, STREAM_EXISTS } from './log-entries.js';
import { isMetastream, type LogRows, metastreamOf, originalOf } from './log-rows.js';
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
    return { result: 'success', revision, position, ...(events.length > 0 && { stored }) };
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

const systemEvent = (type: string, data: Uint8Array): ProposedEvent => ({
  id: crypto.randomUUID(),
  type,
  isJson: true,
  data,
  customMetadata: Buffer.alloc(0),
});
