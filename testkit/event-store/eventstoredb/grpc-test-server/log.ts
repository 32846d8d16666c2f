import {
  type AnyOutcome,
  NO_STREAM,
  type Outcome,
  type ProposedEvent,
  type RecordsOutcome,
  type RecordsWrite,
  type StoredEvent,
  type StreamPage,
  type StreamSelection,
  type Waiting,
  type Work,
  type Writes,
} from './log-entries.js';
import { type LogEntry, type LogRow, LogRows } from './log-rows.js';
import { ReadLag } from './read-lag.js';
import { DELETED } from './stream-metadata.js';
import { StreamWrites } from './stream-writes.js';

/**
 * The transaction log of the test server: which of its writes are on disk, which are committed, and which of them reads show.
 * Writes of one turn of the event loop share one flush; they are answered when they are on disk.
 */
export class Log implements Writes {
  readonly #rows: LogRows;
  readonly #writes: StreamWrites;
  readonly #listeners = new Set<() => void>();
  readonly #lag: ReadLag;
  #queue: Work[] = [];
  #onDisk: bigint;
  /** The position up to which nothing can be lost any more: in a cluster, most of the nodes have stored it. */
  #committed: bigint;
  #waiting: Waiting[] = [];
  #inCluster = false;
  #leads = true;

  /** `readLag`: the milliseconds for which reads do not show the next append yet. */
  constructor(folder: string, readLag: () => number) {
    this.#lag = new ReadLag(readLag, () => this.#announce());
    this.#rows = new LogRows(folder);
    this.#writes = new StreamWrites(this.#rows, (stream, revision, position) => {
      const hidden = this.#lag.firstHiddenRevision(stream);
      return position > this.#onDisk || (hidden !== undefined && revision >= hidden);
    });
    this.#onDisk = this.#rows.position;
    this.#committed = this.#rows.position;
  }

  /** Whether an older copy was put back before this start. */
  get isTruncated(): boolean {
    return this.#rows.isTruncated;
  }

  /** The position up to which `$all` shows everything; 0 when it is empty. */
  get end(): bigint {
    const hidden = this.#lag.firstHiddenPosition();
    return hidden === undefined || hidden > this.#committed ? this.#committed : hidden - 1n;
  }

  /**
   * Whether `$all` can be read from the position: the start, an event's, anything beyond the end, and anything up to the end of the
   * last scavenge, which has removed events.
   */
  knows(position: bigint): boolean {
    if (position === 0n || position > this.#onDisk || position <= this.#rows.number('scavenged')) return true;
    return this.#rows.has(position);
  }

  /** Answers the bytes that it has saved. */
  scavenge(): number {
    this.#flush();
    const end = this.#onDisk;
    const saved = this.#rows.scavenge();
    this.keepNumber('scavenged', end);
    return saved;
  }

  /** Resolves when `$all` shows everything that is on disk now. That includes all acknowledged events: a real server commits in order. */
  async shown(): Promise<void> {
    const written = this.#onDisk;
    while (this.end < written) {
      await new Promise<void>((resolve) => {
        const stop = this.onChange(() => (stop(), resolve()));
      });
    }
  }

  append(stream: string, expected: bigint, events: readonly ProposedEvent[], answer: (outcome: Outcome) => void): void {
    this.#enqueue(() => this.#writes.append(stream, expected, events), answer);
  }

  /** Only the leader's log takes them: no node hands them on. */
  appendRecords(write: RecordsWrite, answer: (outcome: RecordsOutcome) => void): void {
    this.#enqueue(() => this.#writes.appendRecords(write), answer);
  }

  delete(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void {
    this.#enqueue(() => this.#writes.softDelete(stream, expected), answer);
  }

  tombstone(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void {
    this.#enqueue(() => this.#writes.hardDelete(stream, expected), answer);
  }

  /** From now on nothing counts as stored until {@link commit} says so. */
  joinCluster(): void {
    this.#inCluster = true;
    this.#leads = false;
    this.#committed = 0n;
  }

  /** The node leads: its writes belong to the epoch. */
  lead(epoch: bigint): void {
    this.#writes.epoch = epoch;
    this.#leads = true;
  }

  /** The node does not lead any more: it does not know the outcome of the waiting writes. */
  yieldLead(): void {
    this.#leads = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { answer } of waiting) answer({ result: 'not-leader' });
  }

  /** Enough nodes have stored everything up to the position. */
  commit(position: bigint): void {
    if (position <= this.#committed) return;
    this.#committed = position < this.#onDisk ? position : this.#onDisk;
    this.#acknowledge();
    this.#announce();
  }

  get committed(): bigint {
    return this.#committed;
  }

  lastEntry(): LogEntry {
    return this.#rows.entry('ORDER BY position DESC LIMIT 1') ?? { position: 0n, epoch: 0n };
  }

  /** Whether the log holds the entry, or held it before a scavenge. */
  holds({ position, epoch }: LogEntry): boolean {
    if (position <= this.#rows.number('scavenged')) return true;
    return this.#rows.entry('WHERE position = ?', position)?.epoch === epoch;
  }

  /** The last entry before the position. */
  entryBefore(position: bigint): LogEntry {
    return this.#rows.entry('WHERE position < ? ORDER BY position DESC LIMIT 1', position) ?? { position: 0n, epoch: 0n };
  }

  rowsAfter(position: bigint, limit: bigint): LogRow[] {
    return this.#rows.rowsAfter(position, limit);
  }

  /** Takes over the leader's writes after the position, and replaces its own there. */
  replaceAfter(position: bigint, rows: readonly LogRow[]): void {
    if (rows.length === 0 && this.#rows.position === position) return;
    this.#rows.replaceAfter(position, rows);
    this.#onDisk = this.#rows.position;
  }

  /** A number that outlives a restart: an epoch, a vote. */
  number(name: string): bigint {
    return this.#rows.number(name);
  }

  keepNumber(name: string, value: bigint): void {
    this.#rows.keepNumber(name, value);
  }

  readStream({ stream, backwards, from, limit }: StreamSelection): StreamPage | 'stream-not-found' | 'stream-deleted' {
    const stored = this.#rows.lastOf(stream, this.#committed);
    if (stored === DELETED) return 'stream-deleted';
    const hidden = this.#lag.firstHiddenRevision(stream);
    const last = hidden === undefined ? stored : hidden - 1n;
    const metadata = this.#rows.metadataOf(stream);
    if (last === NO_STREAM || metadata.truncateBefore === DELETED) return 'stream-not-found';
    const byCount = metadata.maxCount === null ? 0n : last - metadata.maxCount + 1n;
    const first = [byCount, metadata.truncateBefore ?? 0n, 0n].reduce((a, b) => (a > b ? a : b));
    const since = metadata.maxAge === null ? 0 : Date.now() - metadata.maxAge;
    const order = backwards ? 'AND revision <= ? ORDER BY revision DESC' : 'AND revision >= ? ORDER BY revision';
    const where = `WHERE stream = ? AND revision >= ? AND revision <= ? AND at >= ? ${order} LIMIT ?`;
    return { events: this.#rows.events(where, stream, first, last, since, from, limit), last };
  }

  /** Everything that no scavenge has removed, expired and deleted events too. */
  readAll(backwards: boolean, from: bigint, limit: bigint): readonly StoredEvent[] {
    return backwards
      ? this.#rows.events('WHERE position < ? AND position <= ? ORDER BY position DESC LIMIT ?', from, this.end, limit)
      : this.#rows.events('WHERE position > ? AND position <= ? ORDER BY position LIMIT ?', from, this.end, limit);
  }

  /** Calls back whenever there may be more to read, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#lag.stop();
    this.#flush();
    this.#rows.close();
  }

  #enqueue<Answer extends AnyOutcome>(run: () => Answer, answer: (outcome: Answer) => void): void {
    if (this.#queue.push({ run, answer: answer as Work['answer'] }) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (queue.length === 0) return;
    if (!this.#leads) return queue.forEach(({ answer }) => answer({ result: 'not-leader' }));
    const outcomes = this.#rows.transaction(() => queue.map(({ run }) => run()));
    this.#onDisk = this.#rows.position;
    if (!this.#inCluster) this.#committed = this.#onDisk;
    queue.forEach(({ answer }, index) => {
      const outcome = outcomes[index]!;
      const position = outcome.result === 'success' ? outcome.position : undefined;
      if (position === undefined) answer(outcome);
      else this.#waiting.push({ position, outcome, answer });
    });
    this.#acknowledge();
    this.#announce();
  }

  #acknowledge(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ position }) => position > this.#committed);
    for (const { position, outcome, answer } of waiting) {
      if (position > this.#committed) continue;
      const stored = (outcome.result === 'success' && outcome.stored) || [];
      let hidden = stored.length;
      if (hidden === 0) answer(outcome);
      for (const first of stored) this.#lag.hold(first, () => void (--hidden === 0 && answer(outcome)));
    }
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
