import { type Kafka, Partitioners, type Producer } from 'kafkajs';

import { type Clock, type Randomness, ServiceUnavailable } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { consumedPublication } from '../consumed-publication.js';
import { type ConsumeOptions, type Consumption, type DeadLetter, MessageBus } from '../message-bus.js';
import type { Publication } from '../publication.js';
import { DeadLetters } from './dead-letters.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { KafkaConsumer } from './kafka-consumer.js';

export interface KafkaMessageBusParts extends KafkaSettings {
  readonly publications: readonly Publication[];
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Consumers on Kafka: ADR 0009. */
export class KafkaMessageBus extends MessageBus {
  readonly #kafka: Kafka;
  readonly #producer: Producer;
  readonly #consumptions = new Set<Promise<void>>();
  #connected: Promise<void> | undefined;

  constructor(private readonly parts: KafkaMessageBusParts) {
    super();
    this.#kafka = kafkaClient(parts, parts.log);
    this.#producer = this.#kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      maxInFlightRequests: 1,
    });
  }

  override consume(options: ConsumeOptions): Consumption {
    const publication = consumedPublication(this.parts.publications, options);
    const { clock, log, metrics } = this.parts;
    const deadLetters = this.#deadLetters(options);
    const consumer = new KafkaConsumer({ kafka: this.#kafka, publication, deadLetters, clock, log, metrics }, options);
    const done = consumer.run();
    this.#consumptions.add(done);
    void done.then(() => this.#consumptions.delete(done));
    return { done, check: () => consumer.check() };
  }

  override deadLetters(topic: string, group: string): Promise<readonly DeadLetter[]> {
    return this.#deadLetters({ topic, group }).all();
  }

  override async close(): Promise<void> {
    await Promise.all(this.#consumptions);
    await this.#producer.disconnect();
  }

  #deadLetters(of: { readonly topic: string; readonly group: string }): DeadLetters {
    const { clock, randomness } = this.parts;
    return new DeadLetters({ kafka: this.#kafka, producer: () => this.#connectedProducer(), clock, randomness }, of);
  }

  async #connectedProducer(): Promise<Producer> {
    try {
      this.#connected ??= this.#producer.connect();
      await this.#connected;
    } catch (error) {
      this.#connected = undefined;
      throw new ServiceUnavailable(`Kafka: ${String(error)}`);
    }
    return this.#producer;
  }
}
