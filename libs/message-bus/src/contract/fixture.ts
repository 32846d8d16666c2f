import { setTimeout } from 'node:timers/promises';

import { afterEach, beforeEach } from '@jest/globals';

import { type EventStore, SqliteEventStore } from '#event-store';
import { FixedClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import type { EmbeddedMessageBusParts } from '../embedded/embedded-message-bus.js';
import type { ConsumeOptions, Consumption, MessageBus, MessageHandler } from '../message-bus.js';
import { happens, ThingPublication } from '../testing/thing-publication.js';

export interface ContractSubject {
  /** Opens a bus over the log; opened again, its groups are where they were. */
  open(parts: EmbeddedMessageBusParts): Promise<MessageBus>;
  /** Brings stored events onto the topic, where that does not come by itself. */
  publish(topic: string, messages: readonly CloudEvent[]): Promise<void>;
}

export interface Fixture {
  readonly topic: string;
  readonly store: EventStore;
  readonly metrics: Metrics;
  /** Events of things happen, in this order, and are published. */
  things(...what: readonly (readonly [thing: string, ...types: string[]])[]): Promise<void>;
  /** Consumes all types with retries that do not wait, on a bus of its own. */
  consume(handler: MessageHandler, options?: Partial<ConsumeOptions>): Promise<Started>;
  deadLetters(group?: string): ReturnType<MessageBus['deadLetters']>;
  /** The dead letters, as soon as there are so many. */
  untilDeadLetters(count: number): ReturnType<MessageBus['deadLetters']>;
}

interface Started extends Consumption {
  /** Ends the consumption in an orderly way and closes its bus. */
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

  const open = () => subject.open({ eventStore: store, publications: [publication], clock, randomness, log: new SilentLog(), metrics });

  const deadLetters = async (group = 'group') => {
    const bus = await open();
    try {
      return await bus.deadLetters(topic, group);
    } finally {
      await bus.close();
    }
  };

  return {
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
    get store() {
      return store;
    },
    get metrics() {
      return metrics;
    },
    things: async (...what) => {
      const messages: CloudEvent[] = [];
      for (const [thing, ...types] of what) {
        for (const event of await happens(store, topic, thing, ...types)) messages.push(await publication.message(event));
      }
      await subject.publish(topic, messages);
    },
    consume: async (handler, options = {}) => {
      const bus = await open();
      const leave = new AbortController();
      const consumption = bus.consume({ topic, group: 'group', types: [...publication.types], handler, signal: leave.signal, retryWaits: [1, 1], ...options });
      const one: Started = {
        ...consumption,
        stop: async () => {
          started.delete(one);
          leave.abort();
          await consumption.done;
          await bus.close();
        },
      };
      started.add(one);
      return one;
    },
  };
};

/** Collects what a handler is called with, and lets a test wait for it. */
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
    /** Resolves when so many messages have come. */
    until: (count: number) => new Promise<void>((resolve) => (seen.length >= count ? resolve() : void waiting.push({ count, resolve }))),
  };
};

export const nameOf = ({ subject, esrevision }: CloudEvent): string => `${subject}/${esrevision}`;
