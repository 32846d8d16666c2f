import { ANY, BACKWARDS, END, type EventStoreDBClient, FORWARDS } from '@eventstore/db-client';
import { type Clock, type DomainEvent, type EventId, pause, type Randomness } from '#kernel';
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
  type Place,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamAppend,
  type StreamName,
  streamName,
  type StreamRevision,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../event-store.js';
import { assertNamedOnce, prepareAppend } from '../prepare-append.js';
import { Refusals } from '../refusals.js';
import type { ProposedEvent } from './append-messages.js';
import { Appends } from './appends.js';
import { changeMetadata } from './change-metadata.js';
import { serverVersionOf } from './client.js';
import { Connection } from './connection.js';
import type { EventStoreDbEventStoreOptions } from './eventstoredb-options.js';
import { failureOf, unavailable } from './failure.js';
import { LastingSubscription, type LastingSubscriptionParts } from './lasting-subscription.js';
import { LAST_EVENT, readStream, type StreamRead } from './read-stream.js';
import { recordedEvent } from './recorded-event.js';
import { type StreamMetadata, withRetention, withTruncation } from './stream-metadata.js';
import { StoredPlaces } from './stored-places.js';
import { StoreHealth } from './store-health.js';

/** Milliseconds for anything but an append. */
const CALL_TIMEOUT = 5_000;
const CHECK_TIMEOUT = 2_000;

/** One event for all processes: each further append of it is a repetition, which the server answers and does not store. */
const HEALTH_STREAM = streamName('health', 'check');
const HEALTH_EVENT: ProposedEvent = { id: v5(HEALTH_STREAM, v5.URL) as EventId, type: 'Checked', data: '{}' };

/** The event store on EventStoreDB (23.10.7 and later) and KurrentDB: ADR 0007. On KurrentDB from 26.1 on, it has transactions over streams: ADR 0132. */
export class EventStoreDbEventStore extends EventStore {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #appends: Appends;
  readonly #closed = new AbortController();
  readonly #health: StoreHealth;
  readonly #refusals: Refusals;
  readonly #subscriptions: LastingSubscriptionParts;
  #closing: Promise<void> | undefined;

  /** Connects with the first call. Throws when the connection string is none. */
  constructor({
    connectionString,
    access,
    refused,
    clock,
    randomness,
    report = () => undefined,
    alarm = report,
    restored = () => undefined,
    pause: pausing = pause,
  }: EventStoreDbEventStoreOptions) {
    super();
    this.#connection = new Connection({ connectionString, access, refused, clock, pause: pausing });
    this.#clock = clock;
    this.#randomness = randomness;
    this.#refusals = new Refusals(alarm);
    this.#subscriptions = {
      connection: this.#connection,
      randomness,
      pause: pausing,
      refusals: this.#refusals,
      places: new StoredPlaces(this.#connection, pausing),
      restored,
      report,
      alarm,
      closed: this.#closed.signal,
    };
    this.#appends = new Appends(this.#connection, { clock, randomness, pause: pausing }, () => this.#health);
    this.#health = new StoreHealth(clock, {
      read: () => this.#read(HEALTH_STREAM, LAST_EVENT, CHECK_TIMEOUT),
      append: () => this.#append(HEALTH_STREAM, NO_STREAM, [HEALTH_EVENT], CHECK_TIMEOUT),
    });
  }

  override async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    const prepared = prepareAppend(this.#randomness, { ...options, stream, expected, events });
    return this.#append(stream, expected, prepared);
  }

  /** Undefined also for streams whose names differ in case alone: the server takes such names for one stream. */
  override async appendTogether(
    appends: readonly StreamAppend[],
    unchanged: readonly StreamRevision[] = [],
  ): Promise<readonly AppendResult[] | undefined> {
    this.#mustBeOpen();
    assertNamedOnce(appends, unchanged);
    const prepared = appends.map((append) => ({ ...append, events: prepareAppend(this.#randomness, append) }));
    const names = [...appends, ...unchanged].map(({ stream }) => stream.toUpperCase());
    if (new Set(names).size < names.length) return undefined;
    if (appends.length === 0) return (await this.#appends.canTogether()) ? [] : undefined;
    return this.#appends.together({ appends: prepared, unchanged });
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

  override marksUpTo(position: Position): readonly Place[] {
    return this.#subscriptions.places.marks.upTo(position);
  }

  override get continuity(): number {
    return this.#connection.interruptions;
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

  #changeMetadata(stream: StreamName, change: (metadata: StreamMetadata) => string): Promise<void> {
    const parts = { clock: this.#clock, randomness: this.#randomness, read: this.#read.bind(this), append: this.#append.bind(this) };
    return changeMetadata(parts, stream, change);
  }

  override async tombstone(stream: StreamName): Promise<void> {
    await this.#call('tombstone', (client) => client.tombstoneStream(stream, { expectedRevision: ANY, deadline: CALL_TIMEOUT }));
  }

  override async check(): Promise<void> {
    this.#refusals.check();
    this.#mustBeOpen();
    await this.#health.check();
  }

  /** The version that the server tells of itself, for an operator: `24.10.9`, or `unknown`. Nothing in this adapter depends on it. */
  serverVersion(): Promise<string> {
    this.#mustBeOpen();
    return this.#connection.run(serverVersionOf, { budget: CALL_TIMEOUT, silence: CALL_TIMEOUT });
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #append(...append: Parameters<Appends['one']>): Promise<AppendResult> {
    this.#mustBeOpen();
    return this.#appends.one(...append);
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

  async *#follow(options: SubscribeOptions): AsyncGenerator<SubscriptionItem, void, void> {
    yield* new LastingSubscription(this.#subscriptions, options).items();
    if (!options.signal.aborted) throw closed();
  }

  #mustBeOpen(): void {
    if (this.#closing) throw closed();
  }

  async #close(): Promise<void> {
    await this.#appends.settled();
    this.#closed.abort();
    await this.#connection.close();
  }
}

const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');
