import { setTimeout } from 'node:timers/promises';

import { afterEach, beforeEach } from '@jest/globals';

import { type EventStore, SqliteEventStore } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '../../kernel/fixed-clock.js';
import { Metrics, SilentLog } from '#telemetry';

import type { CloudEvent } from '#engines/message-bus';
import type { EmbeddedMessageBusParts } from '#engines/message-bus';
import type { ConsumeOptions, Consumption, MessageBus, MessageHandler } from '#engines/message-bus';
import { thingChannel } from '../thing-channel.js';
import { appendThing, ThingPublication } from '../thing-publication.js';

export interface ContractSubject {
  /** Opens a bus over the log. Opened again, its groups resume from their offsets. */
  open(parts: EmbeddedMessageBusParts): Promise<MessageBus>;
  /** Publishes stored events to the topic, on a bus that needs it. */
  publish(topic: string, messages: readonly CloudEvent[]): Promise<void>;
}

export interface Fixture {
  readonly topic: string;
  /** The name of the bus's channel. */
  readonly channel: string;
  readonly store: EventStore;
  readonly metrics: Metrics;
  /** Appends events of things, in this order, and publishes them. */
  things(...what: readonly (readonly [thing: string, ...types: string[]])[]): Promise<void>;
  /** Consumes all types on a new bus, with very short waits between retries. */
  consume(handler: MessageHandler, options?: Partial<ConsumeOptions>): Promise<Started>;
  deadLetters(group?: string): ReturnType<MessageBus['deadLetters']>;
  /** Hands the dead letters of the group to it again. */
  redrive(group?: string): ReturnType<MessageBus['redrive']>;
  /** Resolves with the dead letters when there are `count` of them. */
  untilDeadLetters(count: number): ReturnType<MessageBus['deadLetters']>;
}

interface Started extends Consumption {
  readonly bus: MessageBus;
  /** Ends the consumption and closes its bus. */
  stop(): Promise<void>;
}

const randomness = new SystemRandomness();

export const contractFixture = (subject: ContractSubject): Fixture => {
  const clock = new FixedClock();
  const started = new Set<Started>();
  let store: EventStore;
  let metrics: Metrics;
  let topic: string;
  let publication: ThingPublication;

  beforeEach(() => {
    store = new SqliteEventStore({ path: ':memory:', clock });
    metrics = new Metrics();
    topic = `contract.${randomness.bytes(6).toString('hex')}`;
    publication = new ThingPublication(store, topic);
  });
  afterEach(async () => {
    await Promise.all([...started].map((one) => one.stop()));
    await store.close();
  });

  const open = () =>
    subject.open({
      eventStore: store,
      publications: [publication],
      channels: [thingChannel(`${topic}.orders`)],
      clock,
      randomness,
      log: new SilentLog(),
      metrics,
    });

  const deadLetters = async (group = 'group') => {
    const bus = await open();
    try {
      return await bus.deadLetters(topic, group);
    } finally {
      await bus.close();
    }
  };

  const redrive = async (group = 'group') => {
    const bus = await open();
    try {
      return await bus.redrive(topic, group);
    } finally {
      await bus.close();
    }
  };

  return {
    redrive,
    deadLetters,
    untilDeadLetters: async (count) => {
      for (;;) {
        const letters = await deadLetters();
        if (letters.length >= count) return letters;
        await setTimeout(20);
      }
    },
    get topic() {
      return topic;
    },
    get channel() {
      return `${topic}.orders`;
    },
    get store() {
      return store;
    },
    get metrics() {
      return metrics;
    },
    things: async (...what) => {
      const messages: CloudEvent[] = [];
      for (const [thing, ...types] of what) {
        for (const event of await appendThing(store, topic, thing, ...types)) messages.push(await publication.message(event));
      }
      await subject.publish(topic, messages);
    },
    consume: async (handler, options = {}) => {
      const bus = await open();
      const stopping = new AbortController();
      const consumption = bus.consume({
        topic,
        group: 'group',
        types: [...publication.types],
        handler,
        signal: stopping.signal,
        retryWaits: [1, 1],
        ...options,
      });
      const one: Started = {
        ...consumption,
        bus,
        stop: async () => {
          started.delete(one);
          stopping.abort();
          await consumption.done;
          await bus.close();
        },
      };
      started.add(one);
      return one;
    },
  };
};

/** A handler that collects its messages, and lets a test wait for them. */
export const collector = () => {
  const seen: CloudEvent[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  return {
    handler: async (message: CloudEvent) => {
      seen.push(message);
      for (const { count, resolve } of waiting) if (seen.length >= count) resolve();
    },
    /** `thing/revision`, in the order of arrival. */
    get seen() {
      return seen.map(nameOf);
    },
    messages: seen as readonly CloudEvent[],
    /** Resolves when `count` messages have arrived. */
    until: (count: number) => new Promise<void>((resolve) => (seen.length >= count ? resolve() : void waiting.push({ count, resolve }))),
  };
};

export const nameOf = ({ subject, esrevision }: CloudEvent): string => `${subject}/${esrevision}`;
