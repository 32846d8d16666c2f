import { type EventStore, ForwardingEventStore } from '#engines/event-store';

import { identityFixture, MARI } from '#testkit/identity/identity-fixture';

let identity: ReturnType<typeof identityFixture>;
beforeEach(() => {
  identity = identityFixture();
});
afterEach(() => identity.close());

describe('the inbox', () => {
  const session = (sessionId: string, expiresAt: number) => ({ sessionId, clientId: 'c', expiresAt }) as never;

  it('shows a pushed session once, until it expires', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const now = identity.clock.now();
    await identity.inbox.push(identityId, session('s1', now + 300_000));
    await identity.inbox.push(identityId, session('s1', now + 300_000));
    await identity.inbox.push(identityId, session('s2', now + 60_000));
    expect(await identity.inbox.pending(identityId)).toEqual([
      { sessionId: 's1', clientId: 'c', expiresAt: now + 300_000, at: now },
      { sessionId: 's2', clientId: 'c', expiresAt: now + 60_000, at: now },
    ]);
    identity.clock.advance(60_000);
    expect(await identity.inbox.pending(identityId)).toMatchObject([{ sessionId: 's1' }]);
    identity.clock.advance(240_000);
    expect(await identity.inbox.pending(identityId)).toEqual([]);
  });

  it('shows a session with a longer lifetime than usual until it expires', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const now = identity.clock.now();
    await identity.inbox.push(identityId, session('long', now + 900_000));
    identity.clock.advance(899_999);
    expect(await identity.inbox.pending(identityId)).toMatchObject([{ sessionId: 'long' }]);
    identity.clock.advance(1);
    expect(await identity.inbox.pending(identityId)).toEqual([]);
  });

  it('keeps a longer session when others are pushed before, after and once more', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const now = identity.clock.now();
    await identity.inbox.push(identityId, session('before', now + 300_000));
    await identity.inbox.push(identityId, session('long', now + 900_000));
    await identity.inbox.push(identityId, session('longer', now + 600_000));
    await identity.inbox.push(identityId, session('after', now + 300_000));
    await identity.inbox.pushAgain(identityId, session('after', now + 300_000));
    identity.clock.advance(899_000);
    expect(await identity.inbox.pending(identityId)).toMatchObject([{ sessionId: 'long' }]);
  });

  it('keeps a longer session when another process pushes to the same person at the same time', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const now = identity.clock.now();
    const settings = { ...identity.parts.settings, pushSessionTtl: 900 };
    const held = Promise.withResolvers<void>();
    const slow = new (class extends ForwardingEventStore {
      override async setRetention(...parameters: Parameters<EventStore['setRetention']>): Promise<void> {
        await held.promise;
        await super.setRetention(...parameters);
      }
    })(identity.store);
    const shorter = identity.replica({ settings, eventStore: slow }).inbox.pushAgain(identityId, session('shorter', now + 320_000));
    await identity.replica({ settings }).inbox.push(identityId, session('long', now + 900_000));
    held.resolve();
    await shorter;
    identity.clock.advance(899_000);
    expect(await identity.inbox.pending(identityId)).toMatchObject([{ sessionId: 'long' }]);
  });

  it('takes many sessions at the same time', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const expiresAt = identity.clock.now() + 300_000;
    await Promise.all(Array.from({ length: 20 }, (_, index) => identity.inbox.push(identityId, session(`s${index}`, expiresAt))));
    expect(await identity.inbox.pending(identityId)).toHaveLength(20);
  });
});
