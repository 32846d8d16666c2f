import type { Consumer, EachBatchPayload, Kafka, OffsetsByTopicPartition } from 'kafkajs';

import { explainRefusal } from '#engines/access';
import { backgroundPause, type Clock, KeyedQueue, pause, retry, ServiceUnavailable, untilAborted, within } from '#kernel';
import type { EngineCalls } from '#telemetry';

import { isPublication } from '../channel.js';
import type { ConsumeOptions } from '../message-bus.js';
import { HandledRevisions } from '../progress.js';
import { CALL_TIME } from './bounded-producer.js';
import { ConsumerLag } from './consumer-lag.js';
import { HeldCommits } from './held-commits.js';
import { RecordHandler, type RecordHandlerParts } from './record-handler.js';
import { administer, prepareToConsume, TopicMissing, TopicRefused, type TopicSettings } from './topics.js';

export interface KafkaConsumerParts extends RecordHandlerParts {
  readonly kafka: Kafka;
  readonly topics: TopicSettings;
  /** Messages of a partition under way at once. */
  readonly concurrency: number;
  /** How long a broker holds its answer while there is no message, in milliseconds. An idle consumer that stops waits for that answer. */
  readonly fetchWait: number;
  readonly clock: Clock;
  readonly calls?: EngineCalls | undefined;
}

/** All in milliseconds. Kafka takes a member for dead after SESSION_TIMEOUT; the watchdog restarts a consumer after MAX_SILENCE. */
const SESSION_TIMEOUT = 10_000;
const HEARTBEAT_EVERY = 3_000;
const REBALANCE_TIMEOUT = 60_000;
const MAX_SILENCE = 60_000;
const WATCH_EVERY = 10_000;
/** Time between two checks for slow batches. Milliseconds. */
const LAG_EVERY = 15_000;

const FIRST_RESTART = 500;
const LAST_RESTART = 10_000;
/** How long leaving the group may take. */
const LEAVE_TIME = 20_000;

/**
 * One member of a consumer group. The library restarts a consumer only after some errors: after a TypeError, for example, the process runs on and
 * consumes nothing. So this class restarts the consumer after every error.
 */
export class KafkaConsumer {
  readonly #records: RecordHandler;
  readonly #lag: ConsumerLag;
  readonly #commits: HeldCommits;
  /** Of the last batch: the library offers it to batches alone. */
  #commit: ((offsets: OffsetsByTopicPartition) => Promise<void>) | undefined;
  #joined = false;
  /** Of the topic. */
  #partitions = 1;
  #refusal: TopicRefused | undefined;
  /** Why the brokers refuse this service, where they do. */
  #trouble: string | undefined;
  #lastActivity = 0;

  constructor(
    private readonly parts: KafkaConsumerParts,
    private readonly options: ConsumeOptions,
  ) {
    this.#records = new RecordHandler(parts, options);
    this.#lag = new ConsumerLag({ gauge: parts.metrics.busLag, clock: parts.clock }, options);
    this.#commits = new HeldCommits(async (offsets) => this.#committed(offsets));
  }

  /** Ends with the signal. */
  async run(): Promise<void> {
    const { signal } = this.options;
    const { clock } = this.parts;
    let since = 0;
    let wait = FIRST_RESTART;
    const consume = (): Promise<void> => {
      since = clock.monotonic();
      return this.#consume();
    };
    const waits = (): number => (wait = clock.monotonic() - since > LAST_RESTART ? FIRST_RESTART : Math.min(wait * 2, LAST_RESTART));
    await untilAborted(signal, retry(consume, { waits, onRetry: (error) => this.#failed(error), signal }));
  }

  async check(): Promise<void> {
    const { group, signal } = this.options;
    if (signal.aborted) throw new ServiceUnavailable(`the consumer ${group} has stopped`);
    if (this.#refusal) throw new ServiceUnavailable(this.#refusal.message);
    if (!this.#joined) throw new ServiceUnavailable([`the consumer ${group} has not joined its group`, this.#trouble].filter(Boolean).join(': '));
    if (this.#silentFor() > 3 * SESSION_TIMEOUT) throw new ServiceUnavailable(`the consumer ${group} is silent`);
  }

  #failed(error: unknown): void {
    const { group } = this.options;
    this.#joined = false;
    this.#refusal = error instanceof TopicRefused ? error : undefined;
    this.#trouble = error instanceof TopicMissing ? error.reason : explainRefusal(error, 'KAFKA');
    if (this.#refusal) this.parts.log.error('the consumer waits until an operator acts', { component: group, reason: this.#refusal.message });
    else this.parts.log.error('consumer restarts', { component: group, error, ...(this.#trouble !== undefined && { reason: this.#trouble }) });
  }

  /** From joining the group to the signal or an error. */
  async #consume(): Promise<void> {
    const { topic, group, signal } = this.options;
    const { kafka, topics, log, publication } = this.parts;
    const isRelayed = isPublication(publication);
    const prepared = administer(kafka, (admin) => prepareToConsume(admin, { topic, group, isRelayed }, topics, log));
    this.#partitions = await within(CALL_TIME, prepared);
    this.#refusal = undefined;
    const consumer = kafka.consumer({
      groupId: `${topic}.${group}`,
      sessionTimeout: SESSION_TIMEOUT,
      heartbeatInterval: HEARTBEAT_EVERY,
      rebalanceTimeout: REBALANCE_TIMEOUT,
      maxWaitTimeInMs: this.parts.fetchWait,
      allowAutoTopicCreation: false,
    });
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    signal.addEventListener('abort', end);
    this.#listen(consumer, ended.reject);
    const watchdog = setInterval(() => this.#silentFor() > MAX_SILENCE && ended.reject(new Error('the consumer was silent')), WATCH_EVERY);
    const looking = setInterval(() => void this.#lag.refresh(() => this.#ends()), LAG_EVERY);
    try {
      await Promise.race([this.#join(consumer), ended.promise]);
      if (!signal.aborted) await ended.promise;
    } finally {
      clearInterval(watchdog);
      clearInterval(looking);
      signal.removeEventListener('abort', end);
      const left = this.#commits
        .flush()
        .catch(() => undefined)
        .then(() => consumer.disconnect());
      await Promise.race([left, backgroundPause(LEAVE_TIME)]);
      this.#commits.forget();
    }
  }

  async #join(consumer: Consumer): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({ topics: [this.options.topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.parts.topics.partitions,
      eachBatch: (payload) => this.#batch(payload),
    });
  }

  #listen(consumer: Consumer, crashed: (error: Error) => void): void {
    const noteActivity = (): void => void (this.#lastActivity = this.parts.clock.monotonic());
    noteActivity();
    consumer.on(consumer.events.HEARTBEAT, noteActivity);
    consumer.on(consumer.events.FETCH, noteActivity);
    consumer.on(consumer.events.CRASH, ({ payload }) => crashed(payload.error));
    // The member still has its partitions until it joins again.
    consumer.on(consumer.events.REBALANCING, () => void this.#commits.flush().catch(() => undefined));
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      noteActivity();
      this.#commits.forget();
      const owned = payload.memberAssignment[this.options.topic] ?? [];
      this.#lag.keep(owned);
      this.options.assigned?.({ partitions: this.#partitions, owned });
      this.#joined = true;
      this.#records.forget();
    });
  }

  async #batch({ batch, resolveOffset, commitOffsetsIfNecessary, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { partition } = batch;
    this.#commit = commitOffsetsIfNecessary;
    const began = this.parts.clock.monotonic();
    const stop = new AbortController();
    const signal = AbortSignal.any([this.options.signal, stop.signal]);
    const beat = (): Promise<void> =>
      heartbeat().catch((error: unknown) => {
        stop.abort(error);
        throw error;
      });
    const before = BigInt(batch.firstOffset() ?? '0') - 1n;
    const progress = new HandledRevisions(before, this.parts.concurrency, signal);
    const end = { partition, high: batch.highWatermark };
    if (batch.firstOffset() !== null) this.#lag.begin(end, () => progress.done);
    const queue = new KeyedQueue();
    const underWay: Promise<void>[] = [];
    for (const record of batch.messages) {
      await progress.room();
      if (signal.aborted || !isRunning() || isStale()) break;
      const done = progress.begin(BigInt(record.offset));
      // A channel promises no order, so the handler of one message need not delay the other messages of its subject.
      const key = isPublication(this.parts.publication) ? (record.key?.toString() ?? '') : record.offset;
      underWay.push(
        queue.run(key, () => this.#records.handle(record, partition, { signal, heartbeat: beat })).then(done, (error: unknown) => stop.abort(error)),
      );
    }
    await Promise.all(underWay);
    const { done } = progress;
    if (done > before) {
      resolveOffset(String(done));
      this.#commits.note(partition, done + 1n);
      // The consumer leaves its group when the last batch has ended.
      if (this.options.signal.aborted) await this.#commits.flush();
    }
    this.#lag.end(end);
    if (stop.signal.aborted && !this.options.signal.aborted) throw stop.signal.reason;
    await this.#linger(began);
  }

  #committed(offsets: ReadonlyMap<number, bigint>): Promise<void> {
    const partitions = [...offsets].map(([partition, offset]) => ({ partition, offset: String(offset) }));
    const request = async (): Promise<void> => this.#commit?.({ topics: [{ topic: this.options.topic, partitions }] });
    return this.parts.calls?.measure('commit', request) ?? request();
  }

  /** The library fetches again when this has resolved for the messages of all partitions. */
  async #linger(began: number): Promise<void> {
    const { linger = 0, signal } = this.options;
    const left = began + linger - this.parts.clock.monotonic();
    if (left > 0) await pause(left, signal);
  }

  #ends(): Promise<readonly { readonly partition: number; readonly high: string }[]> {
    return within(
      CALL_TIME,
      administer(this.parts.kafka, (admin) => admin.fetchTopicOffsets(this.options.topic)),
    );
  }

  #silentFor(): number {
    return this.parts.clock.monotonic() - this.#lastActivity;
  }
}
