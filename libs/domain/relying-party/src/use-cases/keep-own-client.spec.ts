import { Clients } from '../repositories/clients.js';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { type ClientId, Secret } from '#kernel';

import { clientSecretHash } from '../domain/client-secret.js';
import { KeepOwnClient } from './keep-own-client.js';
import { ClientNames } from '../repositories/client-names.js';
import { FORMER_REDIRECT_URI, type FormerChanges, storeFormerNameHolder, storeFormerOwnClient } from '#testkit/relying-party/former-own-client';
import { picture } from '#testkit/relying-party/pictures';
import {
  clients,
  clock,
  eventsOf,
  listOfStore,
  own,
  parts,
  randomness,
  store,
  terms,
  useClients,
  clientsOf,
} from '#testkit/relying-party/registered-clients';
import { WebhookEndpoints } from '../repositories/webhook-endpoints.js';
import { ClientLogos } from '../logo/client-logos.js';

const SECRET = new Secret('derived');
const WANTED = { redirectUris: [FORMER_REDIRECT_URI], allowedAttributes: [], allowedPredicates: [], dynamicQr: true, verificationCode: true };
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

  const keep = () => clients.keepOwnClient.execute(WANTED, SECRET);
  const former = () => ({ eventStore: store, clock, key: parts.keys.index.key, own });
  const isKept = async (): Promise<void> => {
    expect(await clients.findClient.execute(own.clientId)).toEqual({ clientId: own.clientId, name: 'Countersign portal', ...WANTED, enabled: true });
    const hash = Buffer.from(clientSecretHash(SECRET), 'base64url');
    expect(await clients.authenticateClient.execute(own.clientId, hash)).toBeDefined();
    expect(await new WebhookEndpoints(new Clients(parts.unitOfWork, own)).of(own.clientId)).toEqual([]);
    expect((await clients.clientConsent.find(own.clientId)).waiting).toBeUndefined();
    expect(await clients.findLogo.execute(own.clientId)).toEqual({});
    expect(await clients.findSecretAge.execute(own.clientId)).toBe(clock.now());
    const { list, projections } = listOfStore();
    await list.current();
    expect((await list.execute({ limit: 10 })).entries.map(({ clientId }) => clientId)).not.toContain(own.clientId);
    await projections.close();
  };

  describe("the service's own client", () => {
    it('is registered once, and nothing is stored when it is as it has to be', async () => {
      await keep();
      await isKept();
      expect(await keep()).toEqual({});
      expect(await eventsOf(own.clientId)).toEqual(['ClientRegistered', 'SecretIssued']);
    });

    it.each<FormerChanges>(['none', 'changed', 'deleted'])(
      'of a former release (%s) gets dynamic codes and is as it has to be, under its id',
      async (changes) => {
        await storeFormerOwnClient(former(), changes);
        await new ClientLogos(store, parts.unitOfWork).handle(own.clientId, {
          type: 'UploadLogo',
          now: clock.now(),
          needsApproval: false,
          logo: { hash: 'h', image: picture().toString('base64'), width: 32, height: 32 },
        });
        clock.advance(1_000);
        expect(await keep()).toEqual({});
        await isKept();
        const stored = await eventsOf(own.clientId);
        await keep();
        expect(await eventsOf(own.clientId)).toEqual(stored);
      },
    );

    it.each<FormerChanges | undefined>([undefined, 'changed', 'deleted'])(
      'is kept once when replicas start at the same time (%s)',
      async (changes) => {
        if (changes) await storeFormerOwnClient(former(), changes);
        const before = (await eventsOf(own.clientId)).length;
        clock.advance(1_000);
        const replicas = Array.from({ length: 5 }, () => clientsOf(parts).keepOwnClient.execute(WANTED, SECRET));
        expect(await Promise.all(replicas)).toEqual(Array.from({ length: 5 }, () => ({})));
        await isKept();
        const added = (await eventsOf(own.clientId)).slice(before);
        expect(added).toEqual([...new Set(added)]);
      },
    );

    it('is given back its name, and the name that staff gave it is free', async () => {
      await storeFormerOwnClient(former(), 'none');
      const lenient = clientsOf({ ...parts, settings: { environment: 'another' } });
      // As the registry of the former release did, which had no rule for this client.
      await lenient.changeClient.execute(own.clientId, { name: 'Bank' });
      await expect(clients.registerClient.execute({ ...terms, name: 'Bank' })).rejects.toMatchObject({ code: 'name_taken' });
      clock.advance(1_000);
      await keep();
      await isKept();
      await clients.registerClient.execute({ ...terms, name: 'Bank' });
    });

    it('is registered beside a client of a former release that has its name, and says which one', async () => {
      const holder = randomness.uuid<ClientId>();
      await storeFormerNameHolder(former(), holder);
      expect(await keep()).toEqual({ nameHolder: holder });
      await isKept();
      expect(await clients.findClient.execute(holder)).toMatchObject({ name: 'Countersign portal' });
      await clients.changeClient.execute(holder, { redirectUris: ['https://rp.example/'] });
      await clients.changeClient.execute(holder, { name: 'Shop' });
      expect(await keep()).toEqual({});
    });

    it('is answered only when no replica uses its former record', async () => {
      await storeFormerOwnClient(former(), 'none');
      const waits: number[] = [];
      const keepOwnClient = new KeepOwnClient(parts.unitOfWork, clock, {
        own,
        names: new ClientNames(store, clock, parts.keys.index.key, own),
        logos: new ClientLogos(store, parts.unitOfWork),
        recordLife: 1_000,
        wait: async (milliseconds) => waits.push(milliseconds),
      });
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
