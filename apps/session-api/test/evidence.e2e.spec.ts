import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { verifyEvidence } from '#clients/relying-party';
import { LocatingTokens } from '#kernel';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';
import { CODE_VERIFIER, LOGIN } from '#testkit/session/login-request';

import { sessionApiFixture } from './session-api.fixture.js';

let api: Awaited<ReturnType<typeof sessionApiFixture>>;
beforeAll(async () => {
  api = await sessionApiFixture();
});
afterAll(() => api.close());

const tokensOf = async (body: Record<string, unknown>) => {
  const { sessionId, code } = await api.login(body);
  const answer = await api.call('POST', '/session/token', { code, code_verifier: CODE_VERIFIER });
  return { sessionId, ...answer.body };
};
const verified = (evidence: unknown) =>
  verifyEvidence({
    evidence: String(evidence),
    keys: { keys: api.platform.useCases.openid().signingKeys.published() },
    issuer: api.platform.settings.issuerUrl,
    clientId: api.client.clientId,
  });

describe('a login with evidence', () => {
  it('proves with the token answer what the phone has signed', async () => {
    const now = Math.floor(api.platform.clock.now() / 1000);
    const tokens = (await tokensOf({ ...LOGIN, evidence: true })) as { sessionId: string; subjectId: string; evidence: string };
    expect(Object.keys(tokens)).toEqual(['sessionId', 'subjectId', 'evidence']);
    expect(verified(tokens.evidence)).toEqual({
      subjectId: tokens.subjectId,
      confirmedAt: now,
      enrolledAt: now,
      statement: { sessionId: tokens.sessionId, clientId: api.client.clientId },
      publicKey: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
    });
  });

  it('adds no event', async () => {
    const { sessionId } = await tokensOf({ ...LOGIN, evidence: true });
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed']);
  });

  it('tells that a number has finished it', async () => {
    const sessionId = await api.create({ ...LOGIN, evidence: true });
    await api.confirm(sessionId);
    await api.append(sessionId, { type: 'SessionCompleted', data: { finishedBy: 'number', at: api.platform.clock.now() } });
    const { eventStore, keys } = api.platform;
    const confirmed = (await eventStore.read(`session-${sessionId}` as never)).find(({ type }) => type === 'SessionConfirmed');
    const code = new LocatingTokens(keys.token, 'authorization-code').make(sessionId, confirmed?.id ?? '');
    const { body } = await api.call('POST', '/session/token', { code, code_verifier: CODE_VERIFIER });
    expect(verified(body['evidence']).finishedBy).toBe('number');
  });

  it('is asked for by each login anew', async () => {
    for (const evidence of [undefined, null, false]) expect(await tokensOf({ ...LOGIN, evidence })).not.toHaveProperty('evidence');
  });

  it('is no signature of a document, and wants a boolean', async () => {
    const document = { signature_type: 'SIGNING', signed_data_hash: 'a'.repeat(128), evidence: true };
    expect((await api.call('POST', '/session', document)).body['defaultTranslation']).toContain('`evidence` does not belong to SIGNING');
    expect((await api.call('POST', '/session', { ...LOGIN, evidence: 'true' })).body['defaultTranslation']).toContain('`evidence`');
  });

  it('is refused before it begins where the service has no key for it', async () => {
    const world = await sessionFixture();
    const platform = withParts(world.platform, { keys: { ...world.platform.keys, openid: undefined } });
    const other = await sessionApiFixture({ ...world, platform });
    const { status, body } = await other.call('POST', '/session', { ...LOGIN, evidence: true });
    expect([status, body['errorCode']]).toEqual([400, 'invalid_request']);
    expect(body['defaultTranslation']).toContain('makes no evidence');
    expect((await other.call('POST', '/session', LOGIN)).status).toBe(200);
    await other.close();
  });

  it('leaves the code unused where the service has lost the key since', async () => {
    const { code } = await api.login({ ...LOGIN, evidence: true });
    const keyless = withParts(api.platform, { keys: { ...api.platform.keys, openid: undefined } });
    const other = await sessionApiFixture({ ...api, platform: keyless });
    const exchange = (by: typeof api) => by.call('POST', '/session/token', { code, code_verifier: CODE_VERIFIER });
    expect((await exchange(other)).status).toBe(503);
    expect((await exchange(api)).body).toHaveProperty('evidence');
    await other.app.close();
  });
});
