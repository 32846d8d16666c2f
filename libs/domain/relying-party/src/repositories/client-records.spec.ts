import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { type ClientId, type EndpointId, Secret, sha256 } from '#kernel';
import { UnitOfWork } from '#engines/event-store';
import { clientsOf, clock, own, parts, randomness, store, terms, useClients } from '#testkit/relying-party/registered-clients';

import type { ClientCommand } from '../domain/client.commands.js';
import { type RelyingPartyParts, relyingPartyRepositories, relyingPartyUseCases } from '../relying-party-use-cases.js';

/** Milliseconds. The clock of these tests stands still, so no record of theirs grows too old; what waits for other processes waits this long. */
const RECORD_LIFE = 1;

/** A process over a shared store: it uses the records of clients for a while. */
const processOf = (given: RelyingPartyParts) => {
  const repositories = relyingPartyRepositories(given, RECORD_LIFE);
  return { ...repositories, ...relyingPartyUseCases({ ...given, relyingPartyRepositories: repositories }) };
};
type Process = ReturnType<typeof processOf>;

const SECRETS = [new Secret('first'), new Secret('second')] as const;
const OWN_TERMS = { redirectUris: ['https://id.example/cb'], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
const by = 'member';
const now = 0;

/** What the process shows of the client, by every look that uses a record; the secrets by which it lets the client in. */
const lookOf = async ({ findClient, authenticateClient }: Pick<Process, 'findClient' | 'authenticateClient'>, clientId: ClientId) => {
  const accepted = [];
  for (const secret of SECRETS) {
    const hash = sha256(secret.reveal());
    const client = await authenticateClient.execute(clientId, hash);
    // Without a promise, for the lean routes: the same answer, or none where the store has to tell.
    expect([client, undefined]).toContainEqual(authenticateClient.recent(clientId, hash));
    accepted.push(client !== undefined);
  }
  return { client: await findClient.execute(clientId), name: await findClient.nameOf(clientId), accepted };
};

/** Adds an endpoint and answers its id. */
const addEndpoint = async ({ webhookEndpoints }: Process, clientId: ClientId): Promise<EndpointId> => {
  const endpointId = randomness.uuid<EndpointId>();
  const webhook = { url: 'https://acme.example/hook', eventTypes: [], disabledBecause: null };
  await webhookEndpoints.handle(clientId, { type: 'AddWebhookEndpoint', now, endpointId, terms: webhook, sealedSecret: 'sealed', proofId: 'proof' });
  return endpointId;
};
const ask = async ({ clientConsent }: Process, clientId: ClientId): Promise<string> => {
  await clientConsent.ask(clientId, { redirectUris: ['https://acme.example/asked'] }, by);
  return (await clientConsent.find(clientId)).waiting?.changeId ?? '';
};

type Change = (process: Process, clientId: ClientId) => Promise<unknown>;

/** Every command on a client, in the way in which a request gives it. A command that is not here does not compile. */
const CHANGES: Readonly<Record<ClientCommand['type'], { readonly before?: Change; readonly change: Change }>> = {
  RegisterClient: { change: (process) => process.registerClient.execute({ ...terms, name: 'Another' }) },
  ChangeClient: { change: (process, id) => process.changeClient.execute(id, { name: 'Renamed', redirectUris: ['https://acme.example/new'] }) },
  DisableClient: { change: (process, id) => process.enableClient.execute(id, false) },
  EnableClient: { before: (process, id) => process.enableClient.execute(id, false), change: (process, id) => process.enableClient.execute(id, true) },
  DeleteClient: { change: (process, id) => process.deleteClient.execute(id) },
  IssueSecret: { change: (process, id) => process.issueSecret.execute(id) },
  KeepClient: {
    before: (process) => process.keepOwnClient.execute(OWN_TERMS, SECRETS[0]),
    change: (process) => process.keepOwnClient.execute({ ...OWN_TERMS, redirectUris: [] }, SECRETS[1]),
  },
  AskClientChange: { change: ask },
  AcceptClientChange: { change: async (process, id) => process.clientConsent.accept(id, await ask(process, id), by) },
  RefuseClientChange: { change: async (process, id) => process.clientConsent.refuse(id, await ask(process, id), by) },
  WithdrawClientChange: { before: ask, change: (process, id) => process.clientConsent.withdraw(id, by) },
  AddWebhookEndpoint: { change: addEndpoint },
  ChangeWebhookEndpoint: {
    change: async (process, id) => {
      const endpointId = await addEndpoint(process, id);
      await process.webhookEndpoints.handle(id, { type: 'ChangeWebhookEndpoint', now, endpointId, changes: { disabledBecause: 'STAFF' } });
    },
  },
  ConfirmWebhookEndpoint: {
    change: async (process, id) =>
      process.webhookEndpoints.handle(id, { type: 'ConfirmWebhookEndpoint', now, endpointId: await addEndpoint(process, id), proofId: 'proof' }),
  },
  FailWebhookProof: {
    change: async (process, id) => {
      const endpointId = await addEndpoint(process, id);
      await process.webhookEndpoints.handle(id, { type: 'FailWebhookProof', now, endpointId, proofId: 'proof', because: 'NO_ANSWER' });
    },
  },
  RemoveWebhookEndpoint: {
    change: async (process, id) =>
      process.webhookEndpoints.handle(id, { type: 'RemoveWebhookEndpoint', now, endpointId: await addEndpoint(process, id) }),
  },
  RotateWebhookSecret: {
    change: async (process, id) => {
      const endpointId = await addEndpoint(process, id);
      const rotation = { type: 'RotateWebhookSecret', now, endpointId, sealedSecret: 'sealed anew', previousUntil: 1 } as const;
      await process.webhookEndpoints.handle(id, rotation);
    },
  },
};

describe.each(STORE_ENGINES)('over $engine', ({ open }) => {
  useClients(open);

  const consenting = (): RelyingPartyParts => ({ ...parts, settings: { ...parts.settings, clientConsent: true } });
  /** A process that has begun after every change, and so remembers nothing. */
  const another = (): Process => processOf({ ...consenting(), unitOfWork: new UnitOfWork(store, clock) });

  describe('a process that uses the record of a client for a while', () => {
    it.each(Object.entries(CHANGES))('shows its own change at once: %s', async (type, { before, change }) => {
      const process = processOf(consenting());
      const { clientId, clientSecret } = await process.registerClient.execute(terms);
      const looked = type === 'KeepClient' ? own.clientId : clientId;
      await before?.(process, clientId);
      await lookOf(process, looked);
      await process.authenticateClient.execute(clientId, sha256(clientSecret.reveal()));
      await change(process, clientId);
      expect(await lookOf(process, looked)).toEqual(await lookOf(another(), looked));
      const hash = sha256(clientSecret.reveal());
      expect(await process.authenticateClient.execute(clientId, hash)).toEqual(await another().authenticateClient.execute(clientId, hash));
    });

    it('keeps no record that it had begun to read before its own change', async () => {
      const process = processOf(parts);
      const { clientId } = await process.registerClient.execute(terms);
      const { unitOfWork } = parts;
      const read = unitOfWork.read.bind(unitOfWork);
      const [isRead, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      unitOfWork.read = (async (...given: Parameters<UnitOfWork['read']>) => {
        const loaded = await read(...given);
        isRead.resolve();
        await goesOn.promise;
        return loaded;
      }) as typeof unitOfWork.read;
      const early = process.findClient.execute(clientId);
      await isRead.promise;
      unitOfWork.read = read;
      await process.changeClient.execute(clientId, { name: 'Renamed' });
      goesOn.resolve();
      expect(await early).toMatchObject({ name: terms.name });
      expect(await process.findClient.execute(clientId)).toMatchObject({ name: 'Renamed' });
    });

    it('uses the record of before for as long as it may, after a change by another process', async () => {
      const process = processOf(parts);
      const { clientId } = await process.registerClient.execute(terms);
      await process.findClient.execute(clientId);
      await clientsOf({ ...parts, unitOfWork: new UnitOfWork(store, clock) }).changeClient.execute(clientId, { name: 'Renamed' });
      expect(await process.findClient.execute(clientId)).toMatchObject({ name: terms.name });
      clock.advance(RECORD_LIFE);
      expect(await process.findClient.execute(clientId)).toMatchObject({ name: 'Renamed' });
    });
  });
});
