import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { StreamChanges } from '#engines/event-store';
import type { ClientId } from '#kernel';
import { Inbox, PersonLimitsRecords } from '#domain/identity';
import { relyingPartyUseCases, relyingPartyRepositories } from '#domain/relying-party';

import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { ListPendingSessions } from './list-pending-sessions.js';

type Fixture = ReturnType<typeof useCaseFixture>;

let fixture: Fixture;
let clients: ReturnType<typeof relyingPartyUseCases>;
let inbox: Inbox;
let list: ListPendingSessions;

beforeEach(() => {
  fixture = useCaseFixture();
  const { eventStore, unitOfWork, clock, randomness, keys, sessions } = fixture;
  const settings = { environment: 'test' };
  const parts = { eventStore, unitOfWork, clock, randomness, keys: { index: keys.data.current() }, settings };
  clients = relyingPartyUseCases({ ...parts, relyingPartyRepositories: relyingPartyRepositories(parts, 0) });
  inbox = new Inbox(eventStore, clock, 300);
  list = new ListPendingSessions(
    inbox,
    new PersonLimitsRecords(unitOfWork),
    sessions,
    new StreamChanges(eventStore, 'inbox'),
    clients.findClient,
    clock,
    fixture.sealer,
  );
});
afterEach(() => fixture.eventStore.close());

const pushed = async (name: string, texts: Readonly<Record<string, string>> = {}) => {
  const terms = { name, redirectUris: ['https://rp.example/callback'], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
  const { clientId } = await clients.registerClient.execute(terms);
  const sessionId = await fixture.history.begin(clientId, {}, texts);
  const expiresAt = fixture.clock.now() + 120_000;
  await inbox.push(fixture.identityId, { sessionId, clientId, expiresAt });
  return { clientId, session: { sessionId, expiresAt: Math.floor(expiresAt / 1_000) } };
};
const named = (relyingPartyName: string, session: object) => ({ ...session, signatureType: 'AUTHENTICATION', relyingPartyName });

describe('the inbox with names', () => {
  it.each([
    ['deleted', (clientId: ClientId) => clients.deleteClient.execute(clientId)],
    ['disabled', (clientId: ClientId) => clients.enableClient.execute(clientId, false)],
  ])('leaves out the sessions of a client that was %s', async (_, end) => {
    const shop = await pushed('Shop');
    const gone = await pushed('Gone');
    expect(await list.named(fixture.identityId)).toEqual([named('Shop', shop.session), named('Gone', gone.session)]);
    await end(gone.clientId);
    expect(await list.named(fixture.identityId)).toEqual([named('Shop', shop.session)]);
  });

  it('says which of them are changes to be approved, and nothing of the change', async () => {
    const shop = await pushed('Shop', { title: 'Order 1' });
    const change = await pushed('Countersign', { title: 'Shop: new client secret', details: 'Shop: new client secret', changeDigest: 'digest' });
    expect(await list.named(fixture.identityId)).toEqual([named('Shop', shop.session), { ...named('Countersign', change.session), change: true }]);
    expect(await list.execute(fixture.identityId)).toEqual([shop.session, change.session]);
  });
});
