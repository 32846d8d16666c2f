import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { DEVICE } from '#testkit/session/session-history';

import { registryFixture } from './registry.fixture.js';

describe.each(USUAL_STORES)('the timeline of a session, on $engine,', ({ open }) => {
  let world: Awaited<ReturnType<typeof sessionFixture>>;
  let api: Awaited<ReturnType<typeof registryFixture>>;
  beforeEach(async () => {
    world = await sessionFixture({}, {}, open);
    api = await registryFixture(world.platform);
  });
  afterEach(() => api.close());

  it('shows a member of the client the same without the device, whose id is the same at all clients', async () => {
    const { clientId } = world.client;
    const sessionId = await world.begin(world.client.clientId);
    await world.scan(sessionId);
    const member = await api.member({ clientId });
    const { status, body, text } = await api.call('GET', `/clients/${clientId}/sessions/${sessionId}/timeline`, undefined, member);
    expect([status, body['status']]).toEqual([200, 'SCANNED']);
    expect(body['events']).toEqual([
      { type: 'SessionCreated', sequence: 0, at: '2026-01-01T00:00:00.000Z' },
      { type: 'SessionScanned', sequence: 1, at: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(text).not.toContain(DEVICE);
    // The route of the staff stays closed to a member.
    expect((await api.call('GET', `/sessions/${sessionId}/timeline`, undefined, member)).status).toBe(403);
  });

  it('tells a member that a number has finished a login', async () => {
    const { clientId } = world.client;
    const [sessionId, at] = [await world.begin(clientId), world.platform.clock.now()];
    await world.scan(sessionId);
    await world.append(sessionId, { type: 'SessionConfirmed', data: { signature: 'c2lnbmF0dXJl', codeExpiresAt: at + 60_000, at } });
    await world.append(sessionId, { type: 'SessionCompleted', data: { finishedBy: 'number', at } });
    const { body } = await api.call('GET', `/clients/${clientId}/sessions/${sessionId}/timeline`, undefined, await api.member({ clientId }));
    expect((body['events'] as object[]).at(-1)).toEqual({
      type: 'SessionCompleted',
      sequence: 3,
      at: '2026-01-01T00:00:00.000Z',
      finishedBy: 'number',
    });
  });

  it("hides a session from a member of another client, also under that client's own id", async () => {
    const sessionId = await world.begin(world.client.clientId);
    const other = (await api.client({ name: 'Another shop' })) as ClientId;
    const stranger = await api.member({ clientId: other });
    const answers = await Promise.all(
      [other, world.client.clientId].map((id) => api.call('GET', `/clients/${id}/sessions/${sessionId}/timeline`, undefined, stranger)),
    );
    expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
      [404, 'session_not_found'],
      [403, 'forbidden'],
    ]);
  });
});
