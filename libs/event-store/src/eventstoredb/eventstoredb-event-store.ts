import { ANY, BACKWARDS, END, type EventStoreDBClient, FORWARDS } from '@eventstore/db-client';
import type { Clock, DomainEvent, EventId, Randomness } from '#kernel';
import { v5 } from 'uuid';

import { checkRetention, checkRevision } from '../check-retention.js';
import {
  type AppendOptions,
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
  SubscriptionRefused,
  type SubscriptionItem,
  WrongExpectedRevision,
} from '../event-store.js';
import { prepareAppend } from '../prepare-append.js';
import { AppendChannel } from './append-channel.js';
import type { ProposedEvent } from './append-messages.js';
import { Connection, SILENCE } from './connection.js';
import { describe, failureOf, isUnknown, unavailable } from './failure.js';
import { HandedOverEvents } from './handed-over.js';
import { backoff, type Pause, pause } from './retry.js';
import { LAST_EVENT, readStream, type StreamRead } from './read-stream.js';
import { recordedEvent } from './recorded-event.js';
import { APPEND_BUDGET, settleAppend } from './settle-append.js';
import { metastreamOf, NO_METADATA, type StreamMetadata, withRetention, withTruncation } from './stream-metadata.js';
import { StoreHealth } from './store-health.js';
import { endOf, isStored, subscribeOnce } from './subscription.js';
import { untilReadable } from './until-readable.js';

export interface EventStoreDbEventStoreOptions {
  /** `esdb://…`, as EventStoreDB's own documentation has it. */
  readonly connectionString: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Called with a line for the log when a subscription was interrupted and is taken up again. */
  readonly report?: (trouble: string) => void;
  /** Called with a line for the log when a subscription has stopped until an operator acts; the line says how. */
  readonly alarm?: (trouble: string) => void;
  /** Replaced in tests that do not wait. */
  readonly pause?: Pause;
}

/** Milliseconds for anything but an append. */
const CALL_TIMEOUT = 5_000;
const CHECK_TIMEOUT = 2_000;
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** A subscription that keeps failing is reported at first and then about once a minute. */
const REPORT_EACH = 15;
/** So many refusals in a row, within a second, are no accident of a server that starts. */
const REFUSALS = 3;

/** One event for all processes and all times: its append is a repetition, which the server judges and stores no more. */
const HEALTH_STREAM = streamName('health', 'check');
const HEALTH_EVENT: ProposedEvent = { id: v5(HEALTH_STREAM, v5.URL) as EventId, type: 'Checked', data: '{}' };

/** The event store on EventStoreDB (23.10.7 and later): ADR 0007. */
export class EventStoreDbEventStore extends EventStore {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #report: (trouble: string) => void;
  readonly #alarm: (trouble: string) => void;
  readonly #pause: Pause;
  readonly #channel: AppendChannel;
  readonly #appending = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();
  readonly #health: StoreHealth;
  /** The subscriptions that have stopped, by their categories. */
  readonly #refusals = new Map<string, SubscriptionRefused>();
  #closing: Promise<void> | undefined;

  /** Connects with the first call. Throws when the connection string is none. */
  constructor({
    connectionString,
    clock,
    randomness,
    report = () => undefined,
    alarm = report,
    pause: pausing = pause,
  }: EventStoreDbEventStoreOptions) {
    super();
    this.#connection = new Connection({ connectionString, clock, pause: pausing });
    this.#clock = clock;
    this.#randomness = randomness;
    this.#report = report;
    this.#alarm = alarm;
    this.#pause = pausing;
    this.#channel = new AppendChannel(this.#connection, randomness);
    this.#health = new StoreHealth(clock, {
      read: () => this.#read(HEALTH_STREAM, LAST_EVENT, CHECK_TIMEOUT),
      append: () => this.#settle(HEALTH_STREAM, NO_STREAM, [HEALTH_EVENT], CHECK_TIMEOUT),
    });
  }

  override async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    { ids }: AppendOptions = {},
  ): Promise<AppendResult> {
    const prepared = prepareAppend(this.#randomness, { stream, expected, events, ...(ids && { ids }) });
    return this.#settle(stream, expected, prepared);
  }

  override async read<Event extends DomainEvent = DomainEvent>(
    stream: StreamName,
    { direction = 'forwards', from, limit }: ReadOptions = {},
  ): Promise<readonly RecordedEvent<Event>[]> {
    const backwards = direction === 'backwards';
    const { events } = await this.#read(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      ...(from !== undefined ? { fromRevision: BigInt(from) } : backwards && { fromRevision: END }),
      ...(limit !== undefined && { maxCount: limit }),
    });
    const recorded = events.map(recordedEvent).filter((event) => event !== undefined) as RecordedEvent<Event>[];
    // Backwards from beyond the end, the server begins at the end.
    return backwards && from !== undefined && recorded[0]?.revision !== from ? [] : recorded;
  }

  override subscribe<Event extends DomainEvent = DomainEvent>(options: SubscribeOptions): AsyncIterable<SubscriptionItem<Event>> {
    return this.#follow(options) as AsyncIterable<SubscriptionItem<Event>>;
  }

  override async setRetention(stream: StreamName, retention: Retention): Promise<void> {
    checkRetention(retention);
    return this.#changeMetadata(stream, (metadata) => withRetention(metadata, retention));
  }

  override async truncateBefore(stream: StreamName, revision: number): Promise<void> {
    checkRevision(revision);
    return this.#changeMetadata(stream, (metadata) => withTruncation(metadata, revision));
  }

  override async exists(stream: StreamName): Promise<boolean> {
    return (await this.#read(stream, LAST_EVENT)).stream !== 'none';
  }

  /**
   * `change` answers the new metadata, JSON text. Not `decideAndAppend`: that appends through the port, which has no name for a metadata
   * stream and takes no JSON text; `$tb` may exceed what a JavaScript number holds.
   */
  async #changeMetadata(stream: StreamName, change: (metadata: StreamMetadata) => string): Promise<void> {
    const giveUpAt = this.#clock.monotonic() + APPEND_BUDGET;
    for (;;) {
      const metadata = await this.#metadata(stream);
      const event = { id: this.#randomness.uuid<EventId>(), type: '$metadata', data: change(metadata) };
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

  override async tombstone(stream: StreamName): Promise<void> {
    await this.#call('tombstone', (client) => client.tombstoneStream(stream, { expectedRevision: ANY, deadline: CALL_TIMEOUT }));
  }

  override check(): Promise<void> {
    for (const { message } of this.#refusals.values()) return Promise.reject(new EventStoreUnavailable(message));
    return this.#closing ? Promise.reject(closed()) : this.#health.check();
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #settle(stream: StreamName, expected: ExpectedRevision, events: readonly ProposedEvent[], budget = APPEND_BUDGET): Promise<AppendResult> {
    this.#mustBeOpen();
    const appending = this.#appendOnce(stream, expected, events, budget);
    this.#appending.add(appending);
    try {
      return await appending;
    } finally {
      this.#appending.delete(appending);
    }
  }

  /** Reports a conflict when reads show the event that caused it, through every client of this process. */
  async #appendOnce(stream: StreamName, expected: ExpectedRevision, events: readonly ProposedEvent[], budget: number): Promise<AppendResult> {
    const giveUpAt = this.#clock.monotonic() + budget;
    const tries = { channel: this.#channel, clock: this.#clock, randomness: this.#randomness, pause: this.#pause };
    try {
      const result = await settleAppend(tries, { stream, expected, events }, budget);
      this.#health.appendAnswered();
      return result;
    } catch (error) {
      if (error instanceof EventStoreUnavailable) this.#health.appendFailed();
      else this.#health.appendAnswered();
      if (error instanceof WrongExpectedRevision && error.actual !== NO_STREAM)
        await untilReadable({ connection: this.#connection, clock: this.#clock, pause: this.#pause }, stream, error.actual, giveUpAt);
      throw error;
    }
  }

  async #metadata(stream: StreamName): Promise<StreamMetadata> {
    const read = await this.#read(metastreamOf(stream), LAST_EVENT);
    if (read.stream === 'tombstoned') throw new StreamTombstoned(stream);
    const last = read.events[0]?.event;
    return last ? { revision: Number(last.revision), data: last.data as StreamMetadata['data'] } : NO_METADATA;
  }

  async #read(stream: StreamName, options: Parameters<typeof readStream>[2], budget?: number): Promise<StreamRead> {
    this.#mustBeOpen();
    try {
      const read = await readStream(this.#connection, stream, options, budget);
      this.#health.readAnswered();
      return read;
    } catch (error) {
      this.#health.readFailed();
      throw error;
    }
  }

  /** A deletion: done also when the stream is tombstoned. */
  async #call(what: string, work: (client: EventStoreDBClient) => Promise<unknown>): Promise<void> {
    this.#mustBeOpen();
    try {
      await this.#connection.run(work, { budget: CALL_TIMEOUT, silence: CALL_TIMEOUT });
    } catch (error) {
      if (failureOf(error) !== 'stream-deleted') throw unavailable(what, error);
    }
  }

  /**
   * Goes on after the last event handed over, however a subscription ends, or, when the store was restored from an older copy, after the
   * last one that the copy has. Stops when the server will refuse it each time.
   */
  async *#follow({ categories, signal, after }: SubscribeOptions): AsyncGenerator<SubscriptionItem, void, void> {
    const over = AbortSignal.any([signal, this.#closed.signal]);
    const unwatch = this.#connection.watch();
    const handedOver = new HandedOverEvents();
    const start = after === 'end' ? undefined : after;
    let positioned = after !== 'end';
    let refusals = 0;
    let isAhead = false;
    try {
      for (let failures = 0; !over.aborted;) {
        let client: EventStoreDBClient | undefined;
        let opened = false;
        let last: Position | undefined = start;
        try {
          // Fixed once: events before the first one handed over would be lost with the connection otherwise.
          const end = await this.#connection.run(endOf, { budget: CALL_TIMEOUT, silence: SILENCE });
          const lacksAll = (await this.#dropLacking(handedOver, categories)) && !handedOver.last;
          if ((!positioned || (after === 'end' && lacksAll)) && end) handedOver.add(end);
          positioned = true;
          last = handedOver.last?.position ?? start;
          if (last !== undefined && last > (end?.position ?? 0n) && !isAhead) {
            isAhead = true;
            this.#alarm(`${aheadOf(categories)}: it was restored from an older copy. ${AHEAD_REMEDY}`);
          }
          client = await this.#connection.client();
          for await (const item of subscribeOnce(client, categories, last, { signal: over, left: this.#connection.left(client) })) {
            if (!opened) this.#taken(categories);
            [failures, refusals, opened] = [0, 0, true];
            if (item !== 'caught-up') handedOver.add(item);
            yield item;
            if (over.aborted) break;
          }
        } catch (error) {
          failures += 1;
          if (client) this.#connection.failed(client, error);
          const refusal = opened ? undefined : refusalOf(error, last);
          refusals = refusal ? refusals + 1 : 0;
          if (refusal && refusals === REFUSALS) throw this.#refuse(new SubscriptionRefused(categories, refusal), categories);
          if (failures % REPORT_EACH === 1) this.#report(`the subscription to ${categories.join(', ')} was interrupted: ${describe(error)}`);
          await this.#pause(backoff(failures, SHORTEST_PAUSE, LONGEST_PAUSE, this.#randomness), over);
        }
      }
    } finally {
      unwatch();
    }
    if (!signal.aborted) throw closed();
  }

  /** After a restoration from an older copy, the subscription goes on after the last event that the copy has. Answers whether there was one. */
  async #dropLacking(handedOver: HandedOverEvents, categories: readonly string[]): Promise<boolean> {
    const limits = { budget: CALL_TIMEOUT, silence: SILENCE };
    const lacking = await handedOver.dropLacking(async (event) => {
      for (let looks = 1; ; looks++) {
        if (await this.#connection.run((client) => isStored(client, event), limits)) return true;
        if (looks === REFUSALS) return false;
        await this.#pause(SHORTEST_PAUSE);
      }
    });
    if (lacking === 0) return false;
    this.#report(
      `the store lacks up to ${lacking} events of ${categories.join(', ')} that were handed over: it was restored from an older copy. ` +
        'The subscription goes on after the last event that the store has',
    );
    return true;
  }

  /**
   * From now on the store is not ready: a service without its subscription does not do its work. It is ready again when the rights have been
   * given. After a position that the store does not know, it is ready again when a subscription to the same categories has begun anew.
   */
  #refuse(refusal: SubscriptionRefused, categories: readonly string[]): SubscriptionRefused {
    this.#refusals.set(categories.join(), refusal);
    this.#alarm(refusal.message);
    return refusal;
  }

  /** The server has taken a subscription to the categories. */
  #taken(categories: readonly string[]): void {
    this.#refusals.delete(categories.join());
    for (const [refused, { reason }] of this.#refusals) if (reason === 'rights') this.#refusals.delete(refused);
  }

  #mustBeOpen(): void {
    if (this.#closing) throw closed();
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#appending); // each has an outcome within its budget
    this.#closed.abort();
    await this.#connection.close();
  }
}

const aheadOf = (categories: readonly string[]): string => `the store ends before the position to go on after of ${categories.join(', ')}`;
/** Of a position that the caller has kept. The events appended between the restoration and the subscription are not handed over. */
const AHEAD_REMEDY = 'The subscription goes on with new events only; start the services again, so that they read the events in between';

/** Why the server will refuse a subscription each time; nothing when it may take it the next time. */
const refusalOf = (error: unknown, after: Position | undefined): SubscriptionRefused['reason'] | undefined => {
  if (failureOf(error) === 'access-denied') return 'rights';
  return after !== undefined && isUnknown(error) ? 'position' : undefined;
};

const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');
