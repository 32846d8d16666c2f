import { type ClientId, sha256 } from '#kernel';
import { streamName } from '#engines/event-store';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { ClientLogos } from '../logo/client-logos.js';
import { clientsProjection } from '../read-models/clients-projection.js';
import { ListClients } from '../read-models/list-clients.js';
import { ClientNames } from '../repositories/client-names.js';
import { terms, randomness, clock, store, own, parts, clients, useClients, eventsOf } from '#testkit/relying-party/registered-clients';

useClients();

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
    await new ClientNames(parts.unitOfWork, parts.keys.index.key, own).reserve('Acme', abandoned);
    expect((await clients.registerClient.execute(terms)).clientId).toBe(abandoned);
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
    await new ClientNames(parts.unitOfWork, parts.keys.index.key, own).reserve('Ajax', clientId);
    await clients.deleteClient.execute(clientId);
    for (const name of ['Acme', 'Ajax']) await clients.registerClient.execute({ ...terms, name });
  });

  it('ends the secret, and no new one is issued', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    await clients.deleteClient.execute(clientId);
    expect(await clients.authenticateClient.execute(clientId, sha256(clientSecret.reveal()))).toBeUndefined();
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
    const logo = { hash: '0'.repeat(64), image: '', width: 32, height: 32 };
    await new ClientLogos(store, parts.unitOfWork).handle(clientId, { type: 'UploadLogo', now: clock.now(), logo, needsApproval: true });
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

describe('the list', () => {
  it('shows clients registered before and after it was opened, with their changes, in pages', async () => {
    const first = await clients.registerClient.execute(terms);
    const projections = projectionsInMemory(store);
    const list = new ListClients(projections.follow(clientsProjection), own);
    expect(await list.execute({ limit: 10 })).toEqual({ entries: [{ clientId: first.clientId, ...terms, enabled: true }] });

    parts.unitOfWork.observe((stream, revision) => projections.note(stream, revision));
    const noted = clients;
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
