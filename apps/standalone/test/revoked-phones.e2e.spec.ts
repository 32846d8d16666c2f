import type { DeviceId, SessionId } from '#kernel';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { eventually } from '#testkit/kernel/eventually';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';

import { createSessionApiApp } from '../../session-api/src/app.js';
import { registryFixture } from '../../registry/test/registry.fixture.js';

describe.each(STORE_ENGINES)('the sessions of a revoked phone, on $engine,', ({ open }) => {
  let world: Awaited<ReturnType<typeof sessionFixture>>;
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let sessionApi: Awaited<ReturnType<typeof createSessionApiApp>>;
  let deviceId: DeviceId;
  beforeEach(async () => {
    world = await sessionFixture({}, {}, open);
    registry = await registryFixture(world.platform);
    sessionApi = await createSessionApiApp(world.platform);
    deviceId = await registry.phoneOf(world.identityId);
  });
  afterEach(async () => {
    await sessionApi.close();
    await registry.close();
  });

  const at = () => world.platform.clock.now();
  const scanned = async (by = deviceId, signing = false): Promise<SessionId> => {
    const sessionId = await world.begin(world.client.clientId, signing ? { signatureType: 'SIGNING' } : {});
    const data = { deviceId: by, identityId: world.identityId, sealed: '', at: at() };
    await world.append(sessionId, { type: 'SessionScanned', data });
    return sessionId;
  };
  const status = async (sessionId: SessionId, path = 'status'): Promise<unknown> => {
    const { clientId, clientSecret } = world.client;
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret.reveal()}`)}`;
    const answer = await sessionApi.inject({ method: 'GET', url: `/relying-party/v1/session/${sessionId}/${path}`, headers: { authorization } });
    const body = answer.json() as { status?: string; errorCode?: string };
    return body.status ?? [answer.statusCode, body.errorCode];
  };
  const revoke = async () => (await registry.call('DELETE', `/identities/${world.identityId}/devices/${deviceId}`)).status;
  const lastOfTimeline = async (sessionId: SessionId) => {
    const { body } = await registry.call('GET', `/sessions/${sessionId}/timeline`);
    return (body['events'] as object[]).at(-1);
  };

  it('are cancelled when the revocation is answered, and the timeline says why', async () => {
    const [login, approved] = [await scanned(), await scanned(deviceId, true)];
    await world.append(approved, { type: 'SessionConfirmed', data: { buildExpiresAt: at() + 60_000, at: at() } });
    expect(await revoke()).toBe(204);
    expect([await status(login), await status(approved)]).toEqual(['CANCELLED', 'CANCELLED']);
    for (const session of [login, approved])
      expect(await lastOfTimeline(session)).toMatchObject({ type: 'SessionCancelled', reason: 'DEVICE_REVOKED' });
  });

  it('stay as they are where the phone has not taken them, or they are confirmed', async () => {
    const other = await registry.phoneOf(world.identityId);
    const [pending, taken, confirmed] = [await world.begin(world.client.clientId), await scanned(other), await scanned()];
    await world.append(confirmed, { type: 'SessionConfirmed', data: { codeExpiresAt: at() + 60_000, at: at() } });
    await revoke();
    expect([await status(pending), await status(taken), await status(confirmed)]).toEqual(['PENDING', 'SCANNED', 'CONFIRMED']);
  });

  it('are cancelled when the phone revokes itself in the process of the registry', async () => {
    const login = await scanned();
    await world.platform.useCases.phones().revokeThisDevice.execute({ identityId: world.identityId, deviceId });
    expect(await status(login)).toBe('CANCELLED');
  });

  it('are cancelled by the registry when another service has revoked the phone, and when the revoking process has ended before it cancelled them', async () => {
    const login = await scanned();
    const { revokeThisDevice } = withParts(world.platform, {}).useCases.phones();
    await revokeThisDevice.execute({ identityId: world.identityId, deviceId });
    await eventually(async () => (world.platform.clock.advance(1_000), (await status(login)) === 'CANCELLED'));
    expect(await lastOfTimeline(login)).toMatchObject({ reason: 'DEVICE_REVOKED' });
  });

  it('are cancelled as ERASED when the person is erased', async () => {
    const login = await scanned();
    expect((await registry.call('DELETE', `/identities/${world.identityId}`)).status).toBe(204);
    expect(await status(login)).toBe('CANCELLED');
    expect(await lastOfTimeline(login)).toMatchObject({ type: 'SessionCancelled', reason: 'ERASED' });
  });

  it('of an erased signer stay COMPLETED without a result, and the timeline says ERASED', async () => {
    const signed = await scanned(deviceId, true);
    await world.append(
      signed,
      { type: 'SessionConfirmed', data: { buildExpiresAt: at() + 60_000, at: at() } },
      { type: 'SessionCompleted', data: { resultExpiresAt: at() + 60_000, at: at() } },
    );
    expect(await lastOfTimeline(signed)).toMatchObject({ type: 'SessionCompleted', sequence: 3 });
    await registry.call('DELETE', `/identities/${world.identityId}`);
    expect([await status(signed), await status(signed, 'result')]).toEqual(['COMPLETED', [404, 'session_not_found']]);
    expect(await lastOfTimeline(signed)).toEqual({ type: 'PersonErased', at: new Date(at()).toISOString(), reason: 'ERASED' });
  });

  it('can be revoked again, which changes nothing', async () => {
    const login = await scanned();
    expect([await revoke(), await revoke()]).toEqual([204, 204]);
    expect((await world.events(login)).filter((type) => type === 'SessionCancelled')).toHaveLength(1);
    expect(await world.platform.useCases.identity().findDevice.execute(deviceId)).toMatchObject({ status: 'REVOKED' });
  });
});
