import { setTimeout as sleep } from 'node:timers/promises';

import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';

import { KeyedQueue } from '#event-store';
import { type Clock, ServiceUnavailable } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { type Arrival, Delivery } from '../delivery.js';
import type { ConsumeOptions } from '../message-bus.js';
import { Progress } from '../progress.js';
import type { Publication } from '../publication.js';
import type { DeadLetters } from './dead-letters.js';
import { asMessage, asRecord, UnreadableRecord } from './record.js';
import { administer, deadLetterTopicConfig, ensureTopics, eventTopic, PARTITIONS } from './topics.js';

export interface KafkaConsumerParts {
  readonly kafka: Kafka;
  readonly publication: Publication;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** So many messages of a partition are under way at once. */
const UNDER_WAY = 64;

/** All in milliseconds. Kafka takes a member for dead after the first; a consumer silent for the last is started anew. */
const SESSION_TIMEOUT = 10_000;
const HEARTBEAT_EVERY = 3_000;
const REBALANCE_TIMEOUT = 60_000;
const SILENCE = 60_000;

const FIRST_RESTART = 500;
const LAST_RESTART = 10_000;
/** How long leaving the group may take. */
const LEAVE_TIME = 20_000;

/**
 * One member of a consumer group. The library restarts a consumer after some errors and not after others (a TypeError, say,
 * leaves a process alive that consumes nothing); here every end is one that is started over.
 */
export class KafkaConsumer {
  #delivery: Delivery;
  #joined = false;
  #lastSign = 0;

  constructor(
    private readonly parts: KafkaConsumerParts,
    private readonly options: ConsumeOptions,
  ) {
    this.#delivery = this.#newDelivery();
  }

  /** Ends with the signal. */
  async run(): Promise<void> {
    const { signal, group } = this.options;
    let wait = FIRST_RESTART;
    while (!signal.aborted) {
      const since = this.parts.clock.monotonic();
      await this.#consume().catch((error: unknown) => this.parts.log.error('consumer is started over', { component: group, error }));
      this.#joined = false;
      wait = this.parts.clock.monotonic() - since > LAST_RESTART ? FIRST_RESTART : Math.min(wait * 2, LAST_RESTART);
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  async check(): Promise<void> {
    const { group, signal } = this.options;
    if (signal.aborted) throw new ServiceUnavailable(`the consumer ${group} has stopped`);
    if (!this.#joined) throw new ServiceUnavailable(`the consumer ${group} is in no group`);
    if (this.#silentFor() > 3 * SESSION_TIMEOUT) throw new ServiceUnavailable(`the consumer ${group} is silent`);
  }

  /** From joining the group to whatever ends it. */
  async #consume(): Promise<void> {
    const { topic, group, signal } = this.options;
    await administer(this.parts.kafka, (admin) => ensureTopics(admin, [eventTopic(topic), deadLetterTopicConfig(topic, group)]));
    const consumer = this.parts.kafka.consumer({
      groupId: `${topic}.${group}`,
      sessionTimeout: SESSION_TIMEOUT,
      heartbeatInterval: HEARTBEAT_EVERY,
      rebalanceTimeout: REBALANCE_TIMEOUT,
      maxWaitTimeInMs: 1_000,
      allowAutoTopicCreation: false,
    });
    const ended = Promise.withResolvers<void>();
    const leave = (): void => ended.resolve();
    signal.addEventListener('abort', leave);
    this.#listen(consumer, ended.reject);
    const watchdog = setInterval(() => this.#silentFor() > SILENCE && ended.reject(new Error('the consumer was silent')), HEARTBEAT_EVERY);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: PARTITIONS,
        eachBatch: (payload) => this.#batch(payload),
      });
      if (!signal.aborted) await ended.promise;
    } finally {
      clearInterval(watchdog);
      signal.removeEventListener('abort', leave);
      await Promise.race([consumer.disconnect(), sleep(LEAVE_TIME, undefined, { ref: false })]);
    }
  }

  #listen(consumer: Consumer, crashed: (error: Error) => void): void {
    const sign = (): void => void (this.#lastSign = this.parts.clock.monotonic());
    sign();
    consumer.on(consumer.events.HEARTBEAT, sign);
    consumer.on(consumer.events.FETCH, sign);
    consumer.on(consumer.events.CRASH, ({ payload }) => crashed(payload.error));
    consumer.on(consumer.events.GROUP_JOIN, () => {
      sign();
      this.#joined = true;
      // Meanwhile somebody else may have dealt with subjects that come back now: what is remembered of them is no gap.
      this.#delivery = this.#newDelivery();
    });
  }

  async #batch({ batch, resolveOffset, commitOffsetsIfNecessary, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { topic, partition } = batch;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.options.signal, stop.signal]);
    const beat = (): Promise<void> =>
      heartbeat().catch((error: unknown) => {
        stop.abort(error);
        throw error;
      });
    const before = BigInt(batch.firstOffset() ?? '0') - 1n;
    const progress = new Progress(before, UNDER_WAY, signal);
    const queue = new KeyedQueue();
    const underWay: Promise<void>[] = [];
    for (const record of batch.messages) {
      await progress.room();
      if (signal.aborted || !isRunning() || isStale()) break;
      const offset = BigInt(record.offset);
      progress.begin(offset);
      const key = record.key?.toString() ?? '';
      underWay.push(queue.run(key, () => this.#deal(record, partition, signal, beat)).then(() => progress.end(offset), (error: unknown) => stop.abort(error)));
    }
    await Promise.all(underWay);
    const { done } = progress;
    if (done > before) {
      resolveOffset(String(done));
      const commit = commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(done + 1n) }] }] });
      await (stop.signal.aborted ? commit.catch(() => undefined) : commit);
    }
    if (stop.signal.aborted && !this.options.signal.aborted) throw stop.signal.reason;
  }

  async #deal(record: KafkaMessage, partition: number, signal: AbortSignal, heartbeat: () => Promise<void>): Promise<void> {
    const origin = `partition ${partition}, offset ${record.offset}`;
    const arrival: Arrival = {
      signal,
      heartbeat,
      // Not always the record that came: it may be one that filled a gap before it.
      park: (reason, message) => this.parts.deadLetters.keep(message ? asRecord(message) : record, reason, origin),
    };
    try {
      await this.#delivery.deliver(asMessage(record), arrival);
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      await this.#delivery.park(error.message, undefined, arrival);
    }
  }

  #newDelivery(): Delivery {
    return new Delivery({ ...this.parts, ...this.options });
  }

  #silentFor(): number {
    return this.parts.clock.monotonic() - this.#lastSign;
  }
}
