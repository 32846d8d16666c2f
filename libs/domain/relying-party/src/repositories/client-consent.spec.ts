import type { ClientId } from '#kernel';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { clientsProjection } from '../read-models/clients-projection.js';
import { ListWaitingChanges } from '../read-models/list-waiting-changes.js';
import { clients, clock, eventsOf, randomness, store, terms, useClients } from '#testkit/relying-party/registered-clients';

useClients();

const register = async (name: string): Promise<ClientId> => (await clients.registerClient.execute({ ...terms, name })).clientId;
const askedFor = async (clientId: ClientId, name: string): Promise<string> => {
  await clients.clientConsent.ask(clientId, { name }, 'a-member');
  return (await clients.clientConsent.find(clientId)).waiting!.changeId;
};

describe('a change that waits for consent', () => {
  it('leaves the client as it is until it is accepted', async () => {
    const clientId = await register('Acme');
    expect(await clients.clientConsent.ask(clientId, { name: 'Ajax', dynamicQr: true }, 'a-member')).toMatchObject({ name: 'Acme', dynamicQr: true });
    const { waiting } = await clients.clientConsent.find(clientId);
    expect(waiting).toEqual({ changeId: expect.any(String), by: 'a-member', at: clock.now(), changes: { name: 'Ajax' } });
    const accepted = await clients.clientConsent.accept(clientId, waiting!.changeId, 'an-operator');
    expect(accepted).toMatchObject({ clientId, name: 'Ajax', enabled: true });
    expect(await clients.findClient.execute(clientId)).toEqual(accepted);
    expect(await clients.clientConsent.find(clientId)).toEqual({ decided: { changeId: waiting!.changeId, accepted: true, at: clock.now() } });
  });

  it('reserves no name before it is accepted, and frees the old one then', async () => {
    const clientId = await register('Acme');
    const changeId = await askedFor(clientId, 'Ajax');
    const other = await register('Ajax');
    await expect(clients.clientConsent.accept(clientId, changeId, 'an-operator')).rejects.toMatchObject({ code: 'name_taken' });
    expect((await clients.clientConsent.find(clientId)).waiting).toMatchObject({ changeId });
    await clients.deleteClient.execute(other);
    await clients.clientConsent.accept(clientId, changeId, 'an-operator');
    await expect(register('Ajax')).rejects.toMatchObject({ code: 'name_taken' });
    await register('Acme');
  });

  it('is decided once by two operators at the same time', async () => {
    const clientId = await register('Acme');
    const changeId = await askedFor(clientId, 'Ajax');
    const { clientConsent } = clients;
    const outcomes = await Promise.allSettled([
      clientConsent.accept(clientId, changeId, 'one'),
      clientConsent.accept(clientId, changeId, 'two'),
      clientConsent.refuse(clientId, changeId, 'three'),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await eventsOf(clientId)).slice(2)).toEqual(['ClientChangeAsked', 'ClientChanged', 'ClientChangeAccepted']);
  });

  it('is refused for an unknown client', async () => {
    const { clientConsent } = clients;
    const unknown = randomness.uuid<ClientId>();
    for (const call of [
      () => clientConsent.find(unknown),
      () => clientConsent.ask(unknown, {}, 'a-member'),
      () => clientConsent.accept(unknown, '1', 'an-operator'),
      () => clientConsent.withdraw(unknown, 'a-member'),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'client_not_found' });
  });
});

describe('the list of changes that wait', () => {
  it('has those of every client with its present name, in pages, and none that is over', async () => {
    const projections = projectionsInMemory(store);
    const model = projections.follow(clientsProjection);
    const list = new ListWaitingChanges(model);
    const listed = async (page: Parameters<ListWaitingChanges['execute']>[0] = { limit: 10 }) => {
      await model.current();
      return list.execute(page);
    };
    const [first, second, third, deleted] = [await register('First'), await register('Second'), await register('Third'), await register('Fourth')];
    expect(await listed()).toEqual({ entries: [] });
    const changeId = await askedFor(first, 'Other first');
    await askedFor(second, 'Other second');
    await askedFor(third, 'Other third');
    await askedFor(deleted, 'Other fourth');
    await clients.deleteClient.execute(deleted);
    expect((await listed()).entries.map(({ clientName, changes }) => [clientName, changes.name])).toEqual([
      ['First', 'Other first'],
      ['Second', 'Other second'],
      ['Third', 'Other third'],
    ]);
    const { next } = await listed({ limit: 1 });
    expect((await listed({ limit: 1, after: next })).entries.map(({ clientId }) => clientId)).toEqual([second]);
    await clients.clientConsent.accept(first, changeId, 'an-operator');
    await clients.clientConsent.withdraw(second, 'a-member');
    const before = await listed();
    expect(before.entries.map(({ clientId }) => clientId)).toEqual([third]);
    await projections.rebuild('clients');
    expect(await listed()).toEqual(before);
    await projections.close();
  });
});
