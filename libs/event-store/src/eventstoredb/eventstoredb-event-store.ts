import { ANY, BACKWARDS, END, type EventStoreDBClient, FORWARDS } from '@eventstore/db-client';
import type { Clock, Randomness } from '#kernel';
import { v5 } from 'uuid';

import { checkRetention } from '../check-retention.js';
import {
  type AppendResult,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamName,
  streamName,
  StreamTombstoned,
  type SubscribeOptions,
  type SubscriptionItem,
  WrongExpectedRevision,
} from '../event-store.js';
import { type PreparedEvent, prepareAppend } from '../prepare-append.js';
import { AppendChannel } from './append-channel.js';
import { closeClient, openClient } from './client.js';
import { describe, failureOf, unavailable } from './failure.js';
import { backoff, type Pause, pause, within } from './patience.js';
import { LAST_EVENT, readStream, type StreamRead } from './read-stream.js';
import { recordedEvent } from './recorded-event.js';
import { APPEND_BUDGET, settleAppend } from './settle-append.js';
import { beginOf, metastreamOf, NO_METADATA, type StreamMetadata, withRetention } from './stream-metadata.js';
import { endOf, subscribeOnce } from './subscription.js';

export interface EventStoreDbEventStoreOptions {
  /** `esdb://…`, as EventStoreDB's own documentation has it. */
  readonly connectionString: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Hears, in a line for the log, that a subscription was interrupted and is taken up again. */
  readonly report?: (trouble: string) => void;
  /** Replaced in tests that do not wait. */
  readonly pause?: Pause;
}

/** Milliseconds for anything but an append. */
const CALL_TIMEOUT = 5_000;
const CHECK_TIMEOUT = 2_000;
/** What the closing of the connection may take: the client sometimes never ends it. */
const CLOSE_TIMEOUT = 1_000;
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** A subscription in vain is told about at first and then about once a minute. */
const REPORT_EACH = 15;

/** One event for all processes and all times: its append is a repetition, which the server judges and stores no more. */
const HEALTH_STREAM = streamName('health', 'check');
const HEALTH_EVENT: PreparedEvent = { id: v5(HEALTH_STREAM, v5.URL), type: 'Checked', data: '{}' };

/** The event store on EventStoreDB (23.10.7 and later): ADR 0007. */
export class EventStoreDbEventStore extends EventStore {
  readonly #client: EventStoreDBClient;
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #report: (trouble: string) => void;
  readonly #pause: Pause;
  readonly #channel: AppendChannel;
  readonly #appending = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();
  #checking: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** Connects with the first call. Throws when the connection string is none. */
  constructor({ connectionString, clock, randomness, report = () => undefined, pause: pausing = pause }: EventStoreDbEventStoreOptions) {
    super();
    this.#client = openClient(connectionString);
    this.#clock = clock;
    this.#randomness = randomness;
    this.#report = report;
    this.#pause = pausing;
    this.#channel = new AppendChannel(this.#client, randomness);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const prepared = prepareAppend(stream, expected, events);
    try {
      return await this.#settle(stream, expected, prepared);
    } catch (error) {
      if (expected !== NO_STREAM || !(error instanceof WrongExpectedRevision)) throw error;
      return this.#beginAgain(stream, prepared, error);
    }
  }

  override async read(stream: StreamName, { direction = 'forwards', from, limit }: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    const backwards = direction === 'backwards';
    const { events } = await this.#read(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      ...(from !== undefined ? { fromRevision: BigInt(from) } : backwards && { fromRevision: END }),
      ...(limit !== undefined && { maxCount: limit }),
    });
    const recorded = events.map(recordedEvent).filter((event) => event !== undefined);
    // Backwards from beyond the end, the server begins at the end.
    return backwards && from !== undefined && recorded[0]?.revision !== from ? [] : recorded;
  }

  override subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionItem> {
    return this.#follow(options);
  }

  override async setRetention(stream: StreamName, retention: Retention): Promise<void> {
    checkRetention(retention);
    const giveUpAt = this.#clock.monotonic() + APPEND_BUDGET;
    for (;;) {
      const metadata = await this.#metadata(stream);
      const event = { id: this.#randomness.uuid(), type: '$metadata', data: withRetention(metadata, retention) };
      try {
        await this.#settle(metastreamOf(stream), metadata.revision, [event]);
        return;
      } catch (error) {
        if (error instanceof StreamTombstoned) throw new StreamTombstoned(stream);
        if (!(error instanceof WrongExpectedRevision)) throw error;
        if (this.#clock.monotonic() >= giveUpAt) throw new EventStoreUnavailable(`the metadata of ${stream} stayed contended`);
      }
    }
  }

  override async delete(stream: StreamName): Promise<void> {
    // A deletion of nothing would hide the first event to come.
    if ((await this.#read(stream, LAST_EVENT)).stream !== 'present') return;
    await this.#call('delete', () => this.#client.deleteStream(stream, { expectedRevision: ANY, deadline: CALL_TIMEOUT }));
  }

  override async tombstone(stream: StreamName): Promise<void> {
    await this.#call('tombstone', () => this.#client.tombstoneStream(stream, { expectedRevision: ANY, deadline: CALL_TIMEOUT }));
  }

  override check(): Promise<void> {
    this.#checking ??= this.#settle(HEALTH_STREAM, NO_STREAM, [HEALTH_EVENT], CHECK_TIMEOUT)
      .then(() => undefined)
      .finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #settle(stream: StreamName, expected: ExpectedRevision, events: readonly PreparedEvent[], budget = APPEND_BUDGET): Promise<AppendResult> {
    this.#mustBeOpen();
    const tries = { channel: this.#channel, clock: this.#clock, randomness: this.#randomness, pause: this.#pause };
    const appending = settleAppend(tries, { stream, expected, events }, budget);
    this.#appending.add(appending);
    try {
      return await appending;
    } finally {
      this.#appending.delete(appending);
    }
  }

  /**
   * After a deletion the stream is NO_STREAM for us until an event is stored at its begin. The server forgets this when
   * metadata is set on a deleted stream, and does not know the repetition of the append that began again.
   */
  async #beginAgain(stream: StreamName, events: readonly PreparedEvent[], conflict: WrongExpectedRevision): Promise<AppendResult> {
    const begin = beginOf(await this.#metadata(stream));
    if (begin === undefined) throw conflict;
    try {
      return await this.#settle(stream, begin - 1, events);
    } catch (error) {
      throw error instanceof WrongExpectedRevision ? conflict : error;
    }
  }

  async #metadata(stream: StreamName): Promise<StreamMetadata> {
    const read = await this.#read(metastreamOf(stream), LAST_EVENT);
    if (read.stream === 'tombstoned') throw new StreamTombstoned(stream);
    const last = read.events[0]?.event;
    return last ? { revision: Number(last.revision), data: last.data as StreamMetadata['data'] } : NO_METADATA;
  }

  async #read(stream: StreamName, options: Parameters<typeof readStream>[2]): Promise<StreamRead> {
    this.#mustBeOpen();
    return readStream(this.#client, stream, options, this.#pause);
  }

  /** A deletion: done also when the stream is tombstoned. */
  async #call(what: string, work: () => Promise<unknown>): Promise<void> {
    this.#mustBeOpen();
    try {
      await within(CALL_TIMEOUT, work());
    } catch (error) {
      if (failureOf(error) !== 'stream-deleted') throw unavailable(what, error);
    }
  }

  /** Goes on after the last event handed over, however a subscription ends. */
  async *#follow({ categories, signal, after }: SubscribeOptions): AsyncGenerator<SubscriptionItem, void, void> {
    const over = AbortSignal.any([signal, this.#closed.signal]);
    let last: Position | undefined = after === 'end' ? undefined : after;
    let positioned = after !== 'end';
    for (let failures = 0; !over.aborted; ) {
      try {
        // Fixed once: else what comes before the first event is handed over would be lost with the connection.
        if (!positioned) last = await within(CALL_TIMEOUT, endOf(this.#client));
        positioned = true;
        for await (const item of subscribeOnce(this.#client, categories, last, over)) {
          failures = 0;
          if (item !== 'caught-up') last = item.position;
          yield item;
          if (over.aborted) break;
        }
      } catch (error) {
        failures += 1;
        if (failures % REPORT_EACH === 1) this.#report(`the subscription to ${categories.join(', ')} was interrupted: ${describe(error)}`);
        await this.#pause(backoff(failures, SHORTEST_PAUSE, LONGEST_PAUSE, this.#randomness), over);
      }
    }
    if (!signal.aborted) throw closed();
  }

  #mustBeOpen(): void {
    if (this.#closing) throw closed();
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#appending); // each has an outcome within its budget
    this.#closed.abort();
    await within(CLOSE_TIMEOUT, closeClient(this.#client)).catch(() => undefined);
  }
}

const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');
