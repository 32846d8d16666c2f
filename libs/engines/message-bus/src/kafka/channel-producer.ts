import type { Kafka } from 'kafkajs';

import { within } from '#kernel';
import type { Log } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { type BoundedProducer, CALL_TIME } from './bounded-producer.js';
import { compressionOf } from './compression.js';
import { kafkaUnavailable } from './kafka-unavailable.js';
import { asRecord } from './record.js';
import type { RecordMacs } from './record-macs.js';
import { administer, ensureEventTopic, ensureRetention, type TopicSettings } from './topics.js';

export interface ChannelProducerParts {
  readonly kafka: Kafka;
  readonly producer: BoundedProducer;
  readonly topics: TopicSettings;
  readonly macs: RecordMacs;
  readonly log: Log;
}

interface Waiting {
  readonly messages: readonly CloudEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The greatest number of messages in one request. A single call with more messages is one request. */
const BATCH = 500;

/** Sends to one channel. Calls that arrive during a request share the next request. */
export class ChannelProducer {
  #waiting: Waiting[] = [];
  #sending = false;
  #prepared: Promise<void> | undefined;

  constructor(
    private readonly topic: string,
    private readonly parts: ChannelProducerParts,
  ) {}

  /** Resolves when all in-sync replicas hold the messages. Rejects with ServiceUnavailable: some or all may be stored. Creates a missing topic. */
  send(messages: readonly CloudEvent[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ messages, resolve, reject });
      if (!this.#sending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#request(batch.flatMap(({ messages }) => messages));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(kafkaUnavailable(error));
      }
    }
    // No `await` since the loop has found the list empty, so the next call starts a new loop.
    this.#sending = false;
  }

  /** The next call, and as many further calls as fit into one request. */
  #nextBatch(): readonly Waiting[] {
    let count = 0;
    const end = this.#waiting.findIndex(({ messages }) => (count += messages.length) > BATCH);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
  }

  async #request(messages: readonly CloudEvent[]): Promise<void> {
    const { producer, macs } = this.parts;
    this.#prepared ??= this.#prepare();
    try {
      await this.#prepared;
      await producer.send({
        topic: this.topic,
        compression: compressionOf(messages),
        messages: messages.map((message) => macs.sign(asRecord(message))),
      });
    } catch (error) {
      this.#prepared = undefined; // the topic may be gone
      throw error;
    }
  }

  #prepare(): Promise<void> {
    const { kafka, topics, log } = this.parts;
    return within(
      CALL_TIME,
      administer(kafka, async (admin) => {
        await ensureEventTopic(admin, this.topic, topics, log);
        await ensureRetention(admin, this.topic, topics);
      }),
    );
  }
}
