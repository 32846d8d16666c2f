import { PNG } from 'pngjs';
import { type ClientId, FixedClock, Secret, SystemRandomness } from '#kernel';
import { history, NewerEventStored, SqliteEventStore, streamName } from '#event-store';
import { projectionsInMemory } from '#read-model/testing';

import type { ClientTerms } from '../domain/client.js';
import { clientsProjection } from '../read-models/clients-projection.js';
import { ListClients } from '../read-models/list-clients.js';
import { type RelyingPartyParts, relyingPartyUseCases } from '../relying-party-use-cases.js';
import { AuthenticateClient } from './authenticate-client.js';
import { ClientLogos } from '../logo/client-logos.js';
import { ClientNames } from '../repositories/client-names.js';
import { ClientRecords } from '../repositories/client-records.js';
import { DeleteClient } from './delete-client.js';
import { EnableClient } from './enable-client.js';
import { IssueSecret } from './issue-secret.js';

const terms: ClientTerms = {
  name: 'Acme',
  redirectUris: ['https://acme.example/cb'],
  allowedAttributes: [],
  allowedPredicates: [],
  dynamicQr: false,
};
const randomness = new SystemRandomness();

let clock: FixedClock;
let store: SqliteEventStore;
let parts: RelyingPartyParts;
let clients: ReturnType<typeof relyingPartyUseCases>;

beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  const index = { id: 'index', key: new Secret(Buffer.alloc(32, 1)) };
  parts = { eventStore: store, clock, randomness, keys: { index }, settings: {} };
  clients = relyingPartyUseCases(parts);
});
afterEach(() => store.close());

const eventsOf = async (clientId: ClientId) => (await store.read(streamName('client', clientId))).map(({ type }) => type);

describe('registration', () => {
  it('answers an id and a secret of 256 random bits, and stores only its hash', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    expect(Buffer.from(clientSecret.reveal(), 'base64url')).toHaveLength(32);
    const stored = await store.read(streamName('client', clientId));
    expect(stored.map(({ type }) => type)).toEqual(['ClientRegistered', 'SecretIssued']);
    expect(JSON.stringify(stored.map(({ data }) => data))).not.toContain(clientSecret.reveal());
    expect(await clients.findClient.execute(clientId)).toEqual({ clientId, ...terms, enabled: true });
  });

  it.each(['Acme', 'ACME', 'ａｃｍｅ'])('gives a name to one client only: %s', async (name) => {
    await clients.registerClient.execute(terms);
    await expect(clients.registerClient.execute({ ...terms, name })).rejects.toMatchObject({
      code: 'name_taken',
      reason: 'a registered client holds the name',
    });
  });

  it('succeeds once when many clients register a name at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => clients.registerClient.execute(terms)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('completes a registration that was interrupted after the name was reserved', async () => {
    const abandoned = randomness.uuid<ClientId>();
    const { clientId } = await clients.registerClient.execute(terms);
    const stream = await nameStream();
    const data = { at: clock.now(), clientId: abandoned };
    await store.append(stream, 0, [
      { type: 'NameFreed', data: { at: clock.now() } },
      { type: 'NameReserved', data },
    ]);

    expect((await clients.registerClient.execute(terms)).clientId).toBe(abandoned);
    expect(clientId).not.toBe(abandoned);
  });
});

describe('a change', () => {
  it('keeps the terms that are not given', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const changed = await clients.changeClient.execute(clientId, { redirectUris: [] });
    expect(changed).toEqual({ clientId, ...terms, redirectUris: [], enabled: true });
    expect(await clients.findClient.execute(clientId)).toEqual(changed);
  });

  it('stores nothing when nothing changes', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    await clients.changeClient.execute(clientId, { name: 'Acme' });
    expect(await eventsOf(clientId)).toEqual(['ClientRegistered', 'SecretIssued']);
  });

  it('frees the old name', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    await clients.changeClient.execute(clientId, { name: 'Ajax' });
    await clients.registerClient.execute(terms);
    await expect(clients.changeClient.execute(clientId, { name: 'Acme' })).rejects.toMatchObject({
      code: 'name_taken',
      reason: 'another client holds the name',
    });
  });

  it('may change the case of the name', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    expect(await clients.changeClient.execute(clientId, { name: 'ACME' })).toMatchObject({ name: 'ACME' });
    await expect(clients.registerClient.execute(terms)).rejects.toMatchObject({ code: 'name_taken' });
  });

  it('never frees the name that the client ends with, when it is renamed to and fro at the same time', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    await Promise.all(Array.from({ length: 20 }, (_, index) => clients.changeClient.execute(clientId, { name: index % 2 ? 'Acme' : 'Ajax' })));
    const name = (await clients.findClient.execute(clientId))?.name ?? '';
    await expect(clients.registerClient.execute({ ...terms, name })).rejects.toMatchObject({ code: 'name_taken' });
    await clients.registerClient.execute({ ...terms, name: name === 'Acme' ? 'Ajax' : 'Acme' });
  });

  it('is refused for an unknown client', async () => {
    await expect(clients.changeClient.execute(randomness.uuid(), {})).rejects.toMatchObject({ code: 'client_not_found' });
  });
});

describe('a deletion', () => {
  it('frees the name for a registration and for a change', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const other = await clients.registerClient.execute({ ...terms, name: 'Ajax' });
    await clients.deleteClient.execute(clientId);
    await clients.changeClient.execute(other.clientId, { name: 'Acme' });
    await expect(clients.registerClient.execute(terms)).rejects.toMatchObject({ code: 'name_taken' });
    await clients.deleteClient.execute(other.clientId);
    expect((await clients.registerClient.execute(terms)).clientId).not.toBe(clientId);
  });

  it('frees both names of a client whose renaming was interrupted', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    await new ClientNames(store, clock, parts.keys.index.key).reserve('Ajax', clientId);
    await clients.deleteClient.execute(clientId);
    for (const name of ['Acme', 'Ajax']) await clients.registerClient.execute({ ...terms, name });
  });

  it('ends the secret, and no new one is issued', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    await clients.deleteClient.execute(clientId);
    expect(await clients.authenticateClient.execute(clientId, clientSecret)).toBeUndefined();
    await expect(clients.issueSecret.execute(clientId)).rejects.toMatchObject({ code: 'client_not_found' });
    await expect(clients.changeClient.execute(clientId, {})).rejects.toMatchObject({ code: 'client_not_found' });
  });

  it('hides the client from staff, and keeps its name for sessions that go on', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    await clients.deleteClient.execute(clientId);
    expect(await clients.findClient.execute(clientId)).toBeUndefined();
    expect(await clients.findClient.nameOf(clientId)).toBe('Acme');
  });

  it('erases the logo, also when it is repeated after a process died in between', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    await clients.changeLogo.upload(clientId, picture());
    await store.append(streamName('client', clientId), 1, [{ type: 'ClientDeleted', data: { at: clock.now() } }]);
    await expect(clients.deleteClient.execute(clientId)).rejects.toMatchObject({ code: 'client_not_found', reason: 'the client was deleted before' });
    expect((await store.read(streamName('clientlogo', clientId))).map(({ type }) => type)).toEqual(['LogoRemoved']);
  });

  it('is refused for an unknown client', async () => {
    await expect(clients.deleteClient.execute(randomness.uuid())).rejects.toMatchObject({ code: 'client_not_found', reason: 'no such client' });
  });

  it('stores one deletion when many are asked for at once, and answers one of them', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => clients.deleteClient.execute(clientId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(clientId)).toEqual(['ClientRegistered', 'SecretIssued', 'ClientDeleted']);
  });
});

describe('authentication', () => {
  it('accepts a client by its secret, with its id in either case', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    expect(await clients.authenticateClient.execute(clientId, clientSecret)).toEqual({ clientId, ...terms, enabled: true });
    expect(await clients.authenticateClient.execute(clientId.toUpperCase(), clientSecret)).toMatchObject({ clientId });
  });

  it('answers nothing for a wrong secret, an unknown id and a text that is no id', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    expect(await clients.authenticateClient.execute(clientId, new Secret('wrong'))).toBeUndefined();
    expect(await clients.authenticateClient.execute(clientId, new Secret(''))).toBeUndefined();
    expect(await clients.authenticateClient.execute(randomness.uuid(), clientSecret)).toBeUndefined();
    expect(await clients.authenticateClient.execute('not-a-uuid', clientSecret)).toBeUndefined();
  });

  it('refuses the old secret once a new one is answered', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const renewed = await clients.issueSecret.execute(clientId);
    expect(await clients.authenticateClient.execute(clientId, clientSecret)).toBeUndefined();
    expect(await clients.authenticateClient.execute(clientId, renewed)).toMatchObject({ clientId });
  });

  it('issues no secret to an unknown client', async () => {
    await expect(clients.issueSecret.execute(randomness.uuid())).rejects.toMatchObject({ code: 'client_not_found' });
  });
});

describe('a replica', () => {
  it('accepts a client for at most one second after the append that disables it, and the call is answered only after that', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const replica = new AuthenticateClient(new ClientRecords(store, clock, 1_000));
    expect(await replica.execute(clientId, clientSecret)).toBeDefined();
    const enableClient = new EnableClient(store, clock, 1_000, async (milliseconds) => clock.advance(milliseconds));
    await enableClient.execute(clientId, false);
    expect(await replica.execute(clientId, clientSecret)).toBeUndefined();
    await enableClient.execute(clientId, true);
    expect(await replica.execute(clientId, clientSecret)).toMatchObject({ clientId, enabled: true });
  });

  it('accepts a client for at most one second after the append that deletes it, and the call is answered only after that', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const replica = new AuthenticateClient(new ClientRecords(store, clock, 1_000));
    expect(await replica.execute(clientId, clientSecret)).toBeDefined();
    const waits: number[] = [];
    const deleteClient = new DeleteClient(store, clock, new ClientLogos(store, clock), 1_000, async (milliseconds) => {
      waits.push(milliseconds);
      clock.advance(milliseconds);
    });
    await deleteClient.execute(clientId);
    expect(waits).toEqual([1_000]);
    expect(await replica.execute(clientId, clientSecret)).toBeUndefined();
  });

  it('uses a record for one second, and a new secret is answered only after that', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const replica = new AuthenticateClient(new ClientRecords(store, clock, 1_000));
    expect(await replica.execute(clientId, clientSecret)).toBeDefined();

    const waits: number[] = [];
    const issueSecret = new IssueSecret(store, clock, randomness, 1_000, async (milliseconds) => {
      waits.push(milliseconds);
      expect(await replica.execute(clientId, clientSecret)).toBeDefined();
      clock.advance(milliseconds);
    });
    const renewed = await issueSecret.execute(clientId);
    expect(waits).toEqual([1_000]);
    expect(await replica.execute(clientId, clientSecret)).toBeUndefined();
    expect(await replica.execute(clientId, renewed)).toBeDefined();
  });
});

describe('the list', () => {
  it('shows clients registered before and after it was opened, with their changes, in pages', async () => {
    const first = await clients.registerClient.execute(terms);
    const projections = projectionsInMemory(store);
    const list = new ListClients(projections.follow(clientsProjection));
    expect(await list.execute({ limit: 10 })).toEqual({ entries: [{ clientId: first.clientId, ...terms, enabled: true }] });

    const noted = relyingPartyUseCases({ ...parts, eventStore: projections.noting(store) });
    const second = await noted.registerClient.execute({ ...terms, name: 'Ajax' });
    await noted.changeClient.execute(first.clientId, { name: 'Acme II' });
    await noted.enableClient.execute(second.clientId, false);
    expect(await list.execute({ limit: 1 })).toEqual({
      entries: [{ clientId: first.clientId, ...terms, name: 'Acme II', enabled: true }],
      next: first.clientId,
    });
    expect((await list.execute({ limit: 1, after: first.clientId })).entries).toMatchObject([{ clientId: second.clientId, enabled: false }]);
    await noted.deleteClient.execute(first.clientId);
    expect((await list.execute({ limit: 10 })).entries).toMatchObject([{ clientId: second.clientId }]);
    expect((await list.execute({ limit: 10, after: first.clientId })).entries).toMatchObject([{ clientId: second.clientId }]);
    await expect(list.execute({ limit: 1, after: randomness.uuid() as never })).rejects.toThrow('`after` is no id of this list.');
    await projections.close();
  });
});

/** Base64 of a PNG. */
const picture = (): string => PNG.sync.write(new PNG({ width: 32, height: 32 })).toString('base64');

const nameStream = async () => {
  for await (const { stream } of history(store, ['clientname'])) return stream;
  throw new Error('no name is reserved');
};

describe('a client with an event that only a newer release knows', () => {
  it('is not authenticated: the event may withdraw its rights', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    await store.append(streamName('client', clientId), 1, [{ type: 'ClientSuspended', data: { at: clock.now() } }]);
    await expect(clients.authenticateClient.execute(clientId, clientSecret)).rejects.toThrow(NewerEventStored);
  });
});
