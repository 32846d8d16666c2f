import { createHash } from 'node:crypto';

import { jest } from '@jest/globals';

import { FIRST_START } from '#domain/administration';
import { EventStoreUnavailable, streamName } from '#engines/event-store';
import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, RECORDED_READS } from '../src/admin-rights.js';
import { type Method, type PersonHeaders, registryFixture } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const AUDIT_LOG = streamName('audit', 'log');
const ROUTES = Object.keys(ADMIN_RIGHTS);
const READS = ROUTES.filter((route) => route.startsWith('GET '));
const RECORDED = ROUTES.filter((route) => !route.startsWith('GET ') || RECORDED_READS.has(route));

// On one store: what a route asks of it is the same on each.
describe.each(UNLIKE_STORES.slice(0, 1))('over $engine, every route of the administration', ({ open }) => {
  let registry: Registry;
  let owner: PersonHeaders;
  let ownersSubject: string;
  let support: PersonHeaders;
  let token: { readonly token: string; readonly tokenId: string };
  beforeAll(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    const person = await registry.newPerson();
    owner = await registry.member({ clientId: UNKNOWN as ClientId, role: 'owner' }, person);
    ownersSubject = person.subjectId;
    token = await registry.token('operator');
    support = await registry.member({ roles: ['support'] });
  });
  afterAll(() => registry.close());

  /** Calls the route for something that does not exist, by headers, or by the token of the first start or a person who may call it. */
  const call = (route: string, headers?: Record<string, string>) => {
    const [method, path] = route.split(' ') as [Method, string];
    const mayCall = ADMIN_RIGHTS[route]?.includes('person') ? owner : { authorization: registry.authorization };
    return registry.send(method, path.replace('/admin/v1', '').replace(/:\w+/g, UNKNOWN), undefined, headers ?? mayCall);
  };
  const trail = () => registry.platform.eventStore.read(AUDIT_LOG, { direction: 'backwards', limit: 2 });
  /** The streams that the request appends to. The session of the portal notes that it was used. */
  const appended = async (request: () => Promise<unknown>, failing = false): Promise<ReadonlySet<string>> => {
    const append = jest.spyOn(registry.platform.eventStore, 'append');
    if (failing) append.mockRejectedValue(new EventStoreUnavailable('the disk is full'));
    await request();
    const streams = append.mock.calls.map(([stream]) => stream);
    append.mockRestore();
    return new Set(streams.filter((stream) => !stream.startsWith('portalsession-')));
  };

  it.each(ROUTES)('counts the cookie of a person beside the header of the portal alone: %s', async (route) => {
    for (const { cookie } of [owner, support]) {
      const answer = await call(route, { cookie });
      expect([answer.status, answer.body['errorCode']]).toEqual([403, 'portal_header_required']);
    }
  });

  it.each(READS)('stores nothing but the record of the read, of a GET: %s', async (route) => {
    expect(await appended(() => call(route))).toEqual(new Set(RECORDED_READS.has(route) ? [AUDIT_LOG] : []));
  });

  it.each(RECORDED)(
    'is on the audit trail with its caller and its request, where it changes something or reads names of persons: %s',
    async (route) => {
      const { status, headers } = await call(route);
      const byPerson = ADMIN_RIGHTS[route]?.includes('person');
      const caller = byPerson ? { actor: ownersSubject, role: 'member' } : { actor: FIRST_START, role: 'all' };
      const subject = { action: route, ...caller, requestId: headers['x-request-id'] };
      expect(subject.requestId).toMatch(/^[0-9a-f-]{36}$/);
      const entries = await trail();
      expect(entries.map(({ type, data }) => [type, data])).toEqual([
        ['AdminChangeEnded', expect.objectContaining({ ...subject, status })],
        ['AdminChangeBegun', expect.objectContaining(subject)],
      ]);
      expect(new Set(entries.map(({ data }) => data['changeId'])).size).toBe(1);
    },
  );

  it.each(RECORDED.filter((route) => !ADMIN_RIGHTS[route]?.includes('person')))('names a token by its id, with its role: %s', async (route) => {
    const { status } = await call(route, { authorization: `Bearer ${token.token}` });
    const entries = await trail();
    // A route that the token may not call leaves no entry.
    if (status === 403) expect(entries.some(({ data }) => data['action'] === route && data['actor'] === token.tokenId)).toBe(false);
    else for (const { data } of entries) expect(data).toMatchObject({ action: route, actor: token.tokenId, role: 'operator' });
  });

  it('holds the hash of a request id that the caller has made up, and no text of the caller', async () => {
    const chosen = 'mari.maasikas-47101010033';
    await registry.send('DELETE', `/clients/${UNKNOWN}`, undefined, { authorization: registry.authorization, 'x-request-id': chosen });
    const entries = await trail();
    expect(entries.map(({ data }) => data['requestId'])).toEqual(Array(2).fill(createHash('sha256').update(chosen).digest('base64url')));
    expect(JSON.stringify(entries.map(({ data }) => data))).not.toContain('mari');
    const made = '0123456789abcdef0123456789abcdef';
    await registry.send('DELETE', `/clients/${UNKNOWN}`, undefined, { authorization: registry.authorization, 'x-request-id': made });
    expect((await trail()).map(({ data }) => data['requestId'])).toEqual([made, made]);
  });

  it.each(RECORDED)('is refused while the trail cannot be written, and stores nothing: %s', async (route) => {
    let refusal: readonly unknown[] = [];
    const streams = await appended(async () => {
      const { status, body } = await call(route);
      refusal = [status, body['errorCode']];
    }, true);
    expect(refusal).toEqual([503, 'service_unavailable']);
    expect(streams).toEqual(new Set([AUDIT_LOG]));
  });
});
