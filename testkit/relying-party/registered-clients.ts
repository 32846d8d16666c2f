import { type ClientId, Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import { type EventStore, history, SqliteEventStore, type StreamName, streamName, UnitOfWork } from '#engines/event-store';
import type { StoreEngine } from '#testkit/event-store/store-engines';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import type { ClientTerms } from '#domain/relying-party';
import { clientsProjection } from '#domain/relying-party';
import { ListClients } from '#domain/relying-party';
import { OwnClient } from '#domain/relying-party';
import { type RelyingPartyParts, relyingPartyRepositories, relyingPartyUseCases } from '#domain/relying-party';

export const terms: ClientTerms = {
  name: 'Acme',
  redirectUris: ['https://acme.example/cb'],
  allowedAttributes: [],
  allowedPredicates: [],
  dynamicQr: false,
};
export const randomness = new SystemRandomness();

export let clock: FixedClock;
export let store: EventStore;
export let parts: RelyingPartyParts;
export let own: OwnClient;
export let clients: ReturnType<typeof relyingPartyUseCases>;

/** The use cases of another process. */
export const clientsOf = (given: RelyingPartyParts) =>
  relyingPartyUseCases({ ...given, relyingPartyRepositories: relyingPartyRepositories(given, 0) });

const openInMemory: StoreEngine['open'] = async (clock) => new SqliteEventStore({ path: ':memory:', clock });

/** Each test of the file, or of the block, gets an empty store and the use cases over it. */
export const useClients = (openStore = openInMemory): void => {
  beforeEach(async () => {
    clock = new FixedClock();
    store = await openStore(clock);
    const index = { id: 'index', key: new Secret(Buffer.alloc(32, 1)) };
    const unitOfWork = new UnitOfWork(store, clock);
    parts = { eventStore: store, unitOfWork, clock, randomness, keys: { index }, settings: { environment: 'test' } };
    own = new OwnClient(index, 'test');
    clients = clientsOf(parts);
  });
  afterEach(() => store.close());
};

export const eventsOf = async (clientId: ClientId) => (await store.read(streamName('client', clientId))).map(({ type }) => type);

/** The list of the store's clients. The test closes the projections. */
export const listOfStore = () => {
  const projections = projectionsInMemory(store);
  const model = projections.follow(clientsProjection);
  return { list: new ListClients(model, own), model, projections };
};

/** The streams that are reserved for names and for skeletons, in the order of their first events, with the types of their events. */
export const nameStreams = async (): Promise<ReadonlyMap<StreamName, readonly string[]>> => {
  const streams = new Map<StreamName, string[]>();
  for await (const { stream, type } of history(store, ['clientname'])) streams.set(stream, [...(streams.get(stream) ?? []), type]);
  return streams;
};
