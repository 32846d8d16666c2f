import { type ClientId, Secret, type SessionId } from '#kernel';

import type { SessionTerms } from '../domain/session.events.js';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { IdempotencyKeys } from './idempotency-keys.js';
import { sessionStream } from '../streams.js';

const BODY = { a: 1, b: 2 };
const LIFETIME = 120_000;

let fixture: ReturnType<typeof useCaseFixture>;
let keys: IdempotencyKeys;
beforeEach(() => {
  fixture = useCaseFixture();
  keys = new IdempotencyKeys(fixture.sessions, new Secret(Buffer.alloc(32, 1)), fixture.clock);
});
afterEach(() => fixture.eventStore.close());

const find = (body: object = BODY, clientId = fixture.clientId) => keys.find(clientId, 'key', body);
/** As POST session: finds the session of the key, or creates it. */
const create = async (body: object = BODY): Promise<SessionId> => {
  const { sessionId, requestDigest, earlier } = await find(body);
  const terms: SessionTerms = {
    clientId: fixture.clientId,
    signatureType: 'AUTHENTICATION',
    pushStatus: 'NOT_REQUESTED',
    sealed: '',
    expiresAt: fixture.clock.now() + LIFETIME,
  };
  if (!earlier) await fixture.sessions.create(sessionId, terms, requestDigest);
  return sessionId;
};

describe('an idempotency key', () => {
  it('has one session for 120 seconds, and another one from then on', async () => {
    const first = await create();
    fixture.clock.advance(LIFETIME - 1);
    expect(await create()).toBe(first);
    fixture.clock.advance(1);
    const second = await create();
    expect(second).not.toBe(first);
    fixture.clock.advance(LIFETIME - 1);
    expect(await create()).toBe(second);
  });

  it('ignores the order of the members of the request', async () => {
    expect(await create({ a: 1, b: 2 })).toBe(await create({ b: 2, a: 1 }));
  });

  it('is refused with another request until the 120 seconds are over', async () => {
    await create();
    await expect(find({ a: 2 })).rejects.toMatchObject({ code: 'idempotency_conflict', reason: 'another body under the same key' });
    fixture.clock.advance(LIFETIME);
    await expect(find({ a: 2 })).resolves.not.toHaveProperty('earlier');
  });

  it('tells requests apart that differ inside a list alone, and not by the order of their members', async () => {
    const documents = (hash: string) => ({ documents: [{ name: 'a.pdf', hash }] });
    const { requestDigest } = await find(documents('aa'));
    expect((await find(documents('bb'))).requestDigest).not.toBe(requestDigest);
    expect((await find({ documents: [{ hash: 'aa', name: 'a.pdf' }] })).requestDigest).toBe(requestDigest);
  });

  it('belongs to one client', async () => {
    expect((await find()).sessionId).not.toBe((await find(BODY, fixture.randomness.uuid<ClientId>())).sessionId);
  });

  it('never leads to a session that is erased', async () => {
    const ids = new Set<SessionId>();
    for (let count = 0; count < 20; count++) {
      const sessionId = await create();
      expect(ids.has(sessionId)).toBe(false);
      ids.add(sessionId);
      await fixture.eventStore.tombstone(sessionStream(sessionId));
      fixture.clock.advance(LIFETIME);
    }
    expect(await create()).toBe(await create());
  });

  it('finds its newest session with few reads, however many there were', async () => {
    for (let count = 0; count < 100; count++) {
      await create();
      fixture.clock.advance(LIFETIME);
    }
    const newest = await create();
    let reads = 0;
    const { exists } = fixture.eventStore;
    fixture.eventStore.exists = (stream) => {
      reads++;
      return exists.call(fixture.eventStore, stream);
    };
    expect(await create()).toBe(newest);
    expect(reads).toBeLessThanOrEqual(15);
  });

  it('costs one read when it is new', async () => {
    let reads = 0;
    const { exists, read } = fixture.eventStore;
    fixture.eventStore.exists = (stream) => (reads++, exists.call(fixture.eventStore, stream));
    fixture.eventStore.read = ((...query: Parameters<typeof read>) => (reads++, read.apply(fixture.eventStore, query))) as typeof read;
    await find();
    expect(reads).toBe(1);
  });

  it('stores nothing but the session', async () => {
    const sessionId = await create();
    const streams: string[] = [];
    for await (const item of fixture.eventStore.subscribe({
      categories: ['session', 'idempotency'],
      signal: AbortSignal.timeout(60_000),
    })) {
      if (item === 'caught-up') break;
      streams.push(item.stream);
    }
    expect(streams).toEqual([sessionStream(sessionId)]);
    expect((await fixture.eventStore.read(sessionStream(sessionId)))[0]?.data).toMatchObject({ requestDigest: expect.any(String) });
  });
});
