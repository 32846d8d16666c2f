import { Secret, sha256 } from '#kernel';
import { NewerEventStored, streamName, UnitOfWork } from '#engines/event-store';

import { AuthenticateClient } from './authenticate-client.js';
import { ClientLogos } from '../logo/client-logos.js';
import { ClientRecords } from '../repositories/client-records.js';
import { Clients } from '../repositories/clients.js';
import { DeleteClient } from './delete-client.js';
import { EnableClient } from './enable-client.js';
import { IssueSecret } from './issue-secret.js';
import { terms, randomness, clock, store, own, parts, clients, useClients } from '#testkit/relying-party/registered-clients';

useClients();

const hashOf = (secret: Secret<string>): Buffer => sha256(secret.reveal());

describe('authentication', () => {
  it('accepts a client by its secret, with its id in either case', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    expect(await clients.authenticateClient.execute(clientId, hashOf(clientSecret))).toEqual({ clientId, ...terms, enabled: true });
    expect(await clients.authenticateClient.execute(clientId.toUpperCase(), hashOf(clientSecret))).toMatchObject({ clientId });
  });

  it('answers nothing for a wrong secret, an unknown id and a text that is no id', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    expect(await clients.authenticateClient.execute(clientId, hashOf(new Secret('wrong')))).toBeUndefined();
    expect(await clients.authenticateClient.execute(clientId, hashOf(new Secret('')))).toBeUndefined();
    expect(await clients.authenticateClient.execute(randomness.uuid(), hashOf(clientSecret))).toBeUndefined();
    expect(await clients.authenticateClient.execute('not-a-uuid', hashOf(clientSecret))).toBeUndefined();
  });

  it('refuses the old secret once a new one is answered', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const renewed = await clients.issueSecret.execute(clientId);
    expect(await clients.authenticateClient.execute(clientId, hashOf(clientSecret))).toBeUndefined();
    expect(await clients.authenticateClient.execute(clientId, hashOf(renewed))).toMatchObject({ clientId });
  });

  it('knows a client that it has read without a promise, and no longer once its secret is changed or the client disabled', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const { authenticateClient } = clients;
    expect(authenticateClient.recent(clientId, hashOf(new Secret('wrong')))).toBeUndefined();
    await authenticateClient.execute(clientId, hashOf(clientSecret));
    expect(authenticateClient.recent(clientId, hashOf(clientSecret))).toMatchObject({ clientId });
    expect(authenticateClient.recent(clientId, hashOf(new Secret('wrong')))).toBeUndefined();

    const renewed = await clients.issueSecret.execute(clientId);
    expect(authenticateClient.recent(clientId, hashOf(clientSecret))).toBeUndefined();
    await authenticateClient.execute(clientId, hashOf(renewed));
    expect(authenticateClient.recent(clientId, hashOf(renewed))).toMatchObject({ clientId });

    await clients.enableClient.execute(clientId, false);
    expect(authenticateClient.recent(clientId, hashOf(renewed))).toBeUndefined();
  });

  it('issues no secret to an unknown client', async () => {
    await expect(clients.issueSecret.execute(randomness.uuid())).rejects.toMatchObject({ code: 'client_not_found' });
  });
});

describe('a replica', () => {
  it('accepts a client for at most one second after the append that disables it, and the call is answered only after that', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const replica = new AuthenticateClient(new ClientRecords(new UnitOfWork(store, clock), 1_000));
    expect(await replica.execute(clientId, hashOf(clientSecret))).toBeDefined();
    const enableClient = new EnableClient(new Clients(parts.unitOfWork, own), clock, 1_000, async (milliseconds) => clock.advance(milliseconds));
    await enableClient.execute(clientId, false);
    expect(await replica.execute(clientId, hashOf(clientSecret))).toBeUndefined();
    await enableClient.execute(clientId, true);
    expect(await replica.execute(clientId, hashOf(clientSecret))).toMatchObject({ clientId, enabled: true });
  });

  it('accepts a client for at most one second after the append that deletes it, and the call is answered only after that', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const replica = new AuthenticateClient(new ClientRecords(new UnitOfWork(store, clock), 1_000));
    expect(await replica.execute(clientId, hashOf(clientSecret))).toBeDefined();
    const waits: number[] = [];
    const deleteClient = new DeleteClient(
      new Clients(parts.unitOfWork, own),
      clock,
      new ClientLogos(store, parts.unitOfWork),
      1_000,
      async (milliseconds) => {
        waits.push(milliseconds);
        clock.advance(milliseconds);
      },
    );
    await deleteClient.execute(clientId);
    expect(waits).toEqual([1_000]);
    expect(await replica.execute(clientId, hashOf(clientSecret))).toBeUndefined();
  });

  it('uses a record for one second, and a new secret is answered only after that', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    const replica = new AuthenticateClient(new ClientRecords(new UnitOfWork(store, clock), 1_000));
    expect(await replica.execute(clientId, hashOf(clientSecret))).toBeDefined();

    const waits: number[] = [];
    const issueSecret = new IssueSecret(new Clients(parts.unitOfWork, own), clock, randomness, 1_000, async (milliseconds) => {
      waits.push(milliseconds);
      expect(await replica.execute(clientId, hashOf(clientSecret))).toBeDefined();
      clock.advance(milliseconds);
    });
    const renewed = await issueSecret.execute(clientId);
    expect(waits).toEqual([1_000]);
    expect(await replica.execute(clientId, hashOf(clientSecret))).toBeUndefined();
    expect(await replica.execute(clientId, hashOf(renewed))).toBeDefined();
  });
});

describe('a client with an event that only a newer release knows', () => {
  it('is not authenticated: the event may withdraw its rights', async () => {
    const { clientId, clientSecret } = await clients.registerClient.execute(terms);
    await store.append(streamName('client', clientId), 1, [{ type: 'ClientSuspended', data: { at: clock.now() } }]);
    await expect(clients.authenticateClient.execute(clientId, hashOf(clientSecret))).rejects.toThrow(NewerEventStored);
  });
});
