import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { UnitOfWork } from '#engines/event-store';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';

import { backchannelFixture, CIBA } from './backchannel.fixture.js';
import { GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

const FORTY = Array.from({ length: 40 }, (_, number) => number);

describe.each(STORE_ENGINES)('forty calls at once on two replicas over $engine', ({ open }) => {
  let api: Awaited<ReturnType<typeof openIdFixture>>;
  let second: Awaited<ReturnType<typeof openIdFixture>>;
  beforeAll(async () => {
    const world = await sessionFixture({}, {}, open);
    api = await openIdFixture(world);
    const { platform } = world;
    // A process of its own: with its own memory, its own queues and its own use cases.
    const replica = withParts(platform, { unitOfWork: new UnitOfWork(platform.eventStore, platform.clock) });
    second = await openIdFixture({ ...world, platform: replica });
  }, 60_000);
  afterAll(async () => {
    await second.app.close();
    await api.close();
  });

  const replicaOf = (number: number) => (number % 2 === 0 ? api : second);
  const refusals = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { code: unknown }).code] : []));

  it('redeem a code once', async () => {
    for (let login = 0; login < 3; login++) {
      const { sessionId, code } = await api.login();
      const answers = await Promise.all(FORTY.map((number) => replicaOf(number).post('token', { ...GRANT, code })));
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.map(({ status, body }) => [status, body])).toEqual(Array.from({ length: 39 }, () => [400, { error: 'invalid_grant' }]));
      expect((await api.events(sessionId)).filter((type) => type === 'CodeRedeemed')).toHaveLength(1);
      const [winner] = answers.filter(({ status }) => status === 200);
      const authorization = `Bearer ${String(winner?.body['access_token'])}`;
      expect((await second.get('userinfo', {}, { authorization })).status).toBe(200);
    }
  }, 60_000);

  it('use a request_uri once', async () => {
    const { request_uri } = (await api.post('par', REQUEST)).body as { request_uri: string };
    const form = { client_id: api.client.clientId, request_uri };
    const tokens = await Promise.all(FORTY.map(async (number) => api.tokenIn(await replicaOf(number).get('authorize', form))));
    const outcomes = await Promise.allSettled(tokens.map((token, number) => replicaOf(number).claim(token)));
    expect(refusals(outcomes)).toEqual(Array.from({ length: 39 }, () => 'invalid_handoff'));
    // A later browser is refused: the first one alone has the cookie.
    await expect(api.claim(api.tokenIn(await api.get('authorize', form)))).rejects.toMatchObject({ code: 'invalid_handoff' });
  }, 60_000);

  it('redeem the id of a request without a browser once', async () => {
    const world = await sessionFixture({}, {}, open);
    const { platform } = world;
    const ciba = await backchannelFixture(world);
    const replica = await openIdFixture({
      ...world,
      platform: withParts(platform, { unitOfWork: new UnitOfWork(platform.eventStore, platform.clock) }),
    });
    const id = await ciba.ask({ login_hint: ciba.sub });
    await ciba.approve(id);
    const poll = (number: number) => (number % 2 === 0 ? ciba : replica).post('token', { grant_type: CIBA, auth_req_id: id });
    const refused = (await Promise.all(FORTY.map(poll))).filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body])).toEqual(Array.from({ length: 39 }, () => [400, { error: 'invalid_grant' }]));
    expect((await ciba.events(ciba.sessionOf(id))).slice(-2)).toEqual(['SessionCompleted', 'CodeRedeemed']);
    await replica.app.close();
    await ciba.close();
  }, 60_000);

  it('begin one session from a plain request', async () => {
    await api.allowPlainRequests();
    const token = api.tokenIn(await api.get('authorize', { ...REQUEST, client_id: api.client.clientId }));
    const outcomes = await Promise.allSettled(FORTY.map((number) => replicaOf(number).claim(token)));
    expect(refusals(outcomes)).toEqual(Array.from({ length: 39 }, () => 'invalid_handoff'));
    const [begun] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.sessionId] : []));
    expect(await api.events(String(begun))).toEqual(['SessionCreated', 'HandoffClaimed']);
  }, 60_000);
});
