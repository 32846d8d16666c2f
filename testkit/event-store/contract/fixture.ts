import { type DomainEvent, type EventId, type JsonObject, SystemRandomness } from '#kernel';

import {
  type EventMetadata,
  type EventStore,
  type ExpectedRevision,
  type RecordedEvent,
  type StreamName,
  streamName,
  type SubscribeOptions,
  type SubscriptionItem,
} from '#engines/event-store';

/** The adapter under test, as the suite uses it. */
export interface ContractSubject {
  /** Opens the store; opened again, it holds the same events. The suite closes it in between. */
  open(): Promise<EventStore>;
  /** Lets so many milliseconds pass on the clock by which the store judges ages: moves the clock, or waits. */
  passTime(milliseconds: number): Promise<void>;
  /** The store gives each event a MAC of its own, in place of one that the writer gave. */
  readonly authenticates?: true;
  /** Whether it has transactions over streams. Undefined: only the store knows. */
  readonly hasTransactions: boolean | undefined;
}

/** An event and the id that an append of it, and each repetition of that append, gives it. */
export interface IdentifiedEvent extends DomainEvent {
  readonly id: EventId;
}

export interface Fixture extends Pick<ContractSubject, 'passTime' | 'hasTransactions'> {
  /** The most bytes that the store adds to the metadata of an event. */
  readonly bytesAdded: number;
  /** The open store; another one after {@link reopen}. */
  readonly store: EventStore;
  reopen(): Promise<void>;
  /** {@link appendIdentified} on the open store. */
  append(stream: StreamName, expected: ExpectedRevision, events: readonly IdentifiedEvent[]): Promise<{ revision: number }>;
  /** A category of this test alone. */
  category(): string;
  /** A stream of this test alone. */
  stream(category?: string): StreamName;
  /** Subscribes and collects items until that many events and a `caught-up` have come. */
  collect(options: Omit<SubscribeOptions, 'signal'>, events: number): Promise<SubscriptionItem[]>;
  /** The writer's metadata, as a read of the event must show it: without the MAC where the store gives each event one of its own. */
  written(metadata: EventMetadata): EventMetadata;
  /** The metadata of an event as a read shows it. */
  metadataOf(event: RecordedEvent | undefined): EventMetadata | undefined;
}

const randomness = new SystemRandomness();
/** Bytes of a MAC in the metadata of an event. */
const LONGEST_MAC = 256;

export const event = (data: JsonObject = {}, type = 'Happened'): IdentifiedEvent => ({ id: randomness.uuid(), type, data });

export const events = (count: number): IdentifiedEvent[] => Array.from({ length: count }, (_, number) => event({ number }));

const idsOf = (identified: readonly IdentifiedEvent[]): EventId[] => identified.map(({ id }) => id);

/** Appends events under their own ids. Called again with the same events, it repeats the append. */
export const appendIdentified = async (
  store: EventStore,
  stream: StreamName,
  expected: ExpectedRevision,
  identified: readonly IdentifiedEvent[],
): Promise<{ revision: number }> => {
  const ids = idsOf(identified);
  const events = identified.map(({ type, data }) => ({ type, data }));
  const appended = await store.append(stream, expected, events, { ids });
  expect(appended.ids).toEqual(ids);
  return { revision: appended.revision };
};

/** Opens the store before each test and closes it afterwards. */
export const contractFixture = ({ open, passTime, authenticates, hasTransactions }: ContractSubject): Fixture => {
  let store: EventStore;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const category = (): string => `contract${randomness.bytes(6).toString('hex')}`;
  const written = ({ mac, ...metadata }: EventMetadata): EventMetadata => ({ ...metadata, ...(mac !== undefined && !authenticates && { mac }) });
  return {
    passTime,
    hasTransactions,
    bytesAdded: authenticates ? LONGEST_MAC : 0,
    category,
    written,
    metadataOf: (recorded) => recorded?.metadata && written(recorded.metadata),
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = await open();
    },
    append: (stream, expected, identified) => appendIdentified(store, stream, expected, identified),
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
