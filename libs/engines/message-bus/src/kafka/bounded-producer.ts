import kafkajs, { type Kafka, Partitioners, type Producer, type ProducerRecord, type RecordMetadata } from 'kafkajs';

import { retry, TimedOut, within } from '#kernel';
import type { EngineCalls } from '#telemetry';

/**
 * How long the library may take for one call, with its own repetitions. Milliseconds. kafkajs 2.2.4 treats a connection that is being closed as
 * connected: a request that it sends in that moment gets no answer, and no time limit of the library ends it. So a restart of a broker stopped
 * the relay for ever (seen in the drill `brokers`).
 */
export const CALL_TIME = 20_000;

/**
 * Before each further try of a call, in milliseconds. The producer tries again itself, because kafkajs 2.2.4 loses messages when it does: it keeps
 * the answers of the brokers over its tries, so a message whose partition moves to a broker that has answered for another partition is never sent,
 * and the call succeeds all the same (https://github.com/tulios/kafkajs/pull/1798).
 */
const RETRY_WAITS: readonly number[] = [100, 200, 400, 800, 1_000];

/**
 * A producer whose calls always end. After a call without an answer in time the next call begins with a new producer; messages that the old producer
 * still stores are then stored twice. Does not use the library's idempotent producer, which is experimental.
 */
export class BoundedProducer {
  #producer: Producer | undefined;
  #connected: Promise<void> | undefined;

  /** Connects with the first call. */
  constructor(
    private readonly kafka: Kafka,
    /** Milliseconds. */
    private readonly callTime = CALL_TIME,
    private readonly calls?: EngineCalls,
  ) {}

  /** Resolves when all in-sync replicas hold the messages. Throws the library's errors, and TimedOut. */
  async send(record: Omit<ProducerRecord, 'acks' | 'timeout'>): Promise<readonly RecordMetadata[]> {
    return this.calls ? this.calls.measure('produce', () => this.#send(record)) : this.#send(record);
  }

  #send(record: Omit<ProducerRecord, 'acks' | 'timeout'>): Promise<readonly RecordMetadata[]> {
    return this.#bounded((producer) => {
      const attempt = (tries: number): Promise<RecordMetadata[]> => {
        if (tries > 1 && this.#producer !== producer) throw new TimedOut(this.callTime);
        return producer.send({ ...record, acks: -1 });
      };
      return retry(attempt, { waits: RETRY_WAITS, when: isRetriable });
    });
  }

  /** Resolves when connected. Throws the library's errors, and TimedOut. */
  async connect(): Promise<void> {
    await this.#bounded(async () => undefined);
  }

  async close(): Promise<void> {
    const producer = this.#producer;
    if (!producer) return;
    const closed = Promise.resolve(this.#connected)
      .catch(() => undefined)
      .then(() => producer.disconnect());
    await within(this.callTime, closed).catch(unlessTimedOut);
  }

  async #bounded<Answer>(work: (producer: Producer) => Promise<Answer>): Promise<Answer> {
    const producer = (this.#producer ??= newProducer(this.kafka));
    try {
      return await within(
        this.callTime,
        this.#connect(producer).then(() => work(producer)),
      );
    } catch (error) {
      if (error instanceof TimedOut) this.#abandon(producer);
      throw error;
    }
  }

  #connect(producer: Producer): Promise<void> {
    if (this.#connected) return this.#connected;
    const connected = producer.connect();
    this.#connected = connected;
    connected.catch(() => {
      if (this.#connected === connected) this.#connected = undefined;
    });
    return connected;
  }

  #abandon(producer: Producer): void {
    if (this.#producer !== producer) return;
    this.#producer = undefined;
    this.#connected = undefined;
    producer.disconnect().catch(() => undefined);
  }
}

const newProducer = (kafka: Kafka): Producer =>
  kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    maxInFlightRequests: 1,
    idempotent: false,
    retry: { retries: 0 },
  });

/** Whether another try may succeed. The library wraps the error of its last try, which it then calls not retriable. */
const isRetriable = (error: unknown): boolean =>
  error instanceof kafkajs.KafkaJSError && (error.name === 'KafkaJSNumberOfRetriesExceeded' || error.retriable);

const unlessTimedOut = (error: unknown): void => {
  if (!(error instanceof TimedOut)) throw error;
};
