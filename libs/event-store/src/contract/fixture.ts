import { type JsonObject, SystemRandomness } from '#kernel';

import { type EventStore, type NewEvent, type StreamName, streamName, type SubscribeOptions, type SubscriptionItem } from '../event-store.js';

/** What an adapter hands to the suite. */
export interface ContractSubject {
  /** Opens the store; opened again, it holds what it held. The suite closes it in between. */
  open(): Promise<EventStore>;
  /** Lets so many milliseconds pass on the clock by which the store judges ages: moves the clock, or waits. */
  passTime(milliseconds: number): Promise<void>;
}

export interface Fixture extends Pick<ContractSubject, 'passTime'> {
  /** The open store; another one after {@link reopen}. */
  readonly store: EventStore;
  reopen(): Promise<void>;
  /** A category that nobody else writes to. */
  category(): string;
  /** A stream that nobody else writes to. */
  stream(category?: string): StreamName;
  /** Subscribes and collects items until that many events and a `caught-up` have come. */
  collect(options: Omit<SubscribeOptions, 'signal'>, events: number): Promise<SubscriptionItem[]>;
}

const randomness = new SystemRandomness();

export const event = (data: JsonObject = {}, type = 'Happened'): NewEvent => ({ id: randomness.uuid(), type, data });

export const events = (count: number): NewEvent[] => Array.from({ length: count }, (_, number) => event({ number }));

/** Opens the store before each test and closes it afterwards. */
export const contractFixture = ({ open, passTime }: ContractSubject): Fixture => {
  let store: EventStore;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const category = (): string => `contract${randomness.bytes(6).toString('hex')}`;
  return {
    passTime,
    category,
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = await open();
    },
    stream: (of = category()) => streamName(of, randomness.uuid()),
    collect: async (options, count) => {
      const leave = new AbortController();
      const items: SubscriptionItem[] = [];
      for await (const item of store.subscribe({ ...options, signal: leave.signal })) {
        items.push(item);
        if (items.includes('caught-up') && items.filter((one) => one !== 'caught-up').length >= count) leave.abort();
      }
      return items;
    },
  };
};
