import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { Secret } from '#kernel';

import { clientSecretHash } from '../domain/client-secret.js';
import { KeepClient } from './keep-client.js';
import { KeepOwnClient } from './keep-own-client.js';
import { clients, clientsOf, clock, eventsOf, listOfStore, own, parts, terms, useClients } from '#testkit/relying-party/registered-clients';

const SECRET = new Secret('derived');
const REDIRECT_URI = 'https://id.example/portal/v1/callback';
const WANTED = { redirectUris: [REDIRECT_URI], allowedAttributes: [], allowedPredicates: [], dynamicQr: true, verificationCode: true };
const SPELLINGS = [
  'Countersign portal',
  'COUNTERSIGN PORTAL',
  'Countersign  portal',
  'Ｃountersign portal',
  'Countersign porta1',
  'C0untersign portal',
];

describe.each(STORE_ENGINES)('over $engine', ({ open }) => {
  useClients(open);

  const keep = (wanted = WANTED, secret = SECRET) => clients.keepOwnClient.execute(wanted, secret);
  const isKept = async (wanted = WANTED, secret = SECRET): Promise<void> => {
    expect(await clients.findClient.execute(own.clientId)).toEqual({ clientId: own.clientId, name: 'Countersign portal', ...wanted, enabled: true });
    const hash = Buffer.from(clientSecretHash(secret), 'base64url');
    expect(await clients.authenticateClient.execute(own.clientId, hash)).toBeDefined();
    expect(await clients.findSecretAge.execute(own.clientId)).toBe(clock.now());
    const { list, model, projections } = listOfStore();
    await model.current();
    expect((await list.execute({ limit: 10 })).entries.map(({ clientId }) => clientId)).not.toContain(own.clientId);
    await projections.close();
  };

  describe("the service's own client", () => {
    it('is registered once, and nothing is stored when it is as it has to be', async () => {
      await keep();
      await isKept();
      await keep();
      expect(await eventsOf(own.clientId)).toEqual(['ClientRegistered', 'SecretIssued']);
    });

    it('follows the settings and the key, under its id', async () => {
      await keep({ ...WANTED, redirectUris: ['https://former.example/portal/v1/callback'] }, new Secret('former'));
      clock.advance(1_000);
      await keep();
      await isKept();
      expect(await eventsOf(own.clientId)).toEqual(['ClientRegistered', 'SecretIssued', 'ClientChanged', 'SecretIssued']);
    });

    it.each(['before it is registered', 'after another setting'])('is kept once when replicas start at the same time, %s', async (when) => {
      if (when === 'after another setting') await keep({ ...WANTED, redirectUris: [] }, new Secret('former'));
      const before = (await eventsOf(own.clientId)).length;
      clock.advance(1_000);
      await Promise.all(Array.from({ length: 5 }, () => clientsOf(parts).keepOwnClient.execute(WANTED, SECRET)));
      await isKept();
      const added = (await eventsOf(own.clientId)).slice(before);
      expect(added).toEqual([...new Set(added)]);
    });

    it('is answered only when no replica uses its record of before', async () => {
      const waits: number[] = [];
      const wait = async (milliseconds: number) => waits.push(milliseconds);
      const keepOwnClient = new KeepOwnClient(new KeepClient(parts.unitOfWork, clock, 1_000, wait), own);
      await keepOwnClient.execute(WANTED, SECRET);
      await keepOwnClient.execute(WANTED, SECRET);
      expect(waits).toEqual([1_000]);
    });
  });

  describe('the name of the own client', () => {
    it.each(SPELLINGS)('is refused to every other client, also before the first start of the portal: %s', async (name) => {
      for (const started of [false, true]) {
        if (started) await keep();
        await expect(clients.registerClient.execute({ ...terms, name })).rejects.toMatchObject({ code: 'name_taken' });
        const { clientId } = await clients.registerClient.execute({ ...terms, name: `Shop ${started}` });
        await expect(clients.changeClient.execute(clientId, { name })).rejects.toMatchObject({ code: 'name_taken' });
        await clients.clientConsent.ask(clientId, { name }, 'a-member');
        const changeId = (await clients.clientConsent.find(clientId)).waiting!.changeId;
        await expect(clients.clientConsent.accept(clientId, changeId, 'an-operator')).rejects.toMatchObject({ code: 'name_taken' });
        expect(await clients.findClient.execute(clientId)).toMatchObject({ name: `Shop ${started}` });
      }
    });
  });
});
