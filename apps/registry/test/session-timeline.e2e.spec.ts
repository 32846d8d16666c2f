import { StreamChanges } from '#event-store';
import { relyingPartyUseCases } from '#relying-party';
import { CreateSession, relyingPartySessionUseCases } from '#session';
import { DEVICE, LOGIN, sessionWorld } from '#session/testing';

import { registryFixture } from './registry.fixture.js';

let world: Awaited<ReturnType<typeof sessionWorld>>;
let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  world = await sessionWorld();
  api = await registryFixture(world.platform);
});
afterEach(() => api.close());

const createSession = async (): Promise<string> => {
  const { platform, client } = world;
  const useCases = relyingPartySessionUseCases(platform, { take: async () => {} }, new StreamChanges(platform.eventStore, 'session'));
  const create = useCases.find((useCase) => useCase instanceof CreateSession);
  const caller = await relyingPartyUseCases(platform).findClient.execute(client.clientId);
  if (!create || !caller) throw new Error('the world has a client that creates sessions');
  return (await create.execute({ ...LOGIN, title: 'A title of the client' }, caller)).sessionId;
};

describe('GET /sessions/{sessionId}/timeline', () => {
  it('tells what happened to the session and when, and no text of the client', async () => {
    const sessionId = await createSession();
    await world.scan(sessionId);
    const { status, body, text } = await api.call('GET', `/sessions/${sessionId}/timeline`);
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionId,
      clientId: world.client.clientId,
      status: 'SCANNED',
      events: [
        { type: 'SessionCreated', sequence: 0, at: '2026-01-01T00:00:00.000Z' },
        { type: 'SessionScanned', sequence: 1, at: '2026-01-01T00:00:00.000Z', deviceId: DEVICE },
      ],
    });
    expect(text).not.toMatch(/title|state of the client|sealed/);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'not-a-uuid', '%00'])('knows no session %s', async (id) => {
    const { status, body } = await api.call('GET', `/sessions/${id}/timeline`);
    expect({ status, code: body.errorCode }).toEqual({ status: 404, code: 'session_not_found' });
  });
});
