import { StreamChanges } from '#event-store';
import { relyingPartyUseCases } from '#relying-party';
import { relyingPartySessionUseCases } from '#session';
import { sessionFixture } from '#platform/testing';
import { CODE_CHALLENGE, DEVICE, REDIRECT_URI } from '#session/testing';

import { registryFixture } from './registry.fixture.js';

let world: Awaited<ReturnType<typeof sessionFixture>>;
let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  world = await sessionFixture();
  api = await registryFixture(world.platform);
});
afterEach(() => api.close());

const LOGIN_REQUEST = {
  redirectUri: REDIRECT_URI,
  state: 'state of the client',
  signatureType: 'AUTHENTICATION',
  codeChallenge: CODE_CHALLENGE,
  codeChallengeMethod: 'S256',
  title: 'A title of the client',
} as const;

const createSession = async (): Promise<string> => {
  const { platform, client } = world;
  const { createSession: create } = relyingPartySessionUseCases(platform, new StreamChanges(platform.eventStore, 'session'));
  const caller = await relyingPartyUseCases(platform).findClient.execute(client.clientId);
  if (!caller) throw new Error('the world has a client that creates sessions');
  return (await create.execute(LOGIN_REQUEST, caller)).sessionId;
};

describe('GET /sessions/{sessionId}/timeline', () => {
  it('lists the events of the session with their times, without any text of the client', async () => {
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

  it.each(['00000000-0000-4000-8000-000000000000', 'not-a-uuid', '%00'])('answers 404 for the session %s', async (id) => {
    const { status, body } = await api.call('GET', `/sessions/${id}/timeline`);
    expect({ status, code: body.errorCode }).toEqual({ status: 404, code: 'session_not_found' });
  });
});
