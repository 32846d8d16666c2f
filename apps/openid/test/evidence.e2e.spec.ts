import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { verifyEvidence } from '#clients/relying-party';

import { GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

let api: Awaited<ReturnType<typeof openIdFixture>>;
beforeAll(async () => {
  api = await openIdFixture();
});
afterAll(() => api.close());

const WITH_EVIDENCE = { ...REQUEST, scope: 'openid evidence' } as const;
const tokensOf = async (form: Readonly<Record<string, string>>) => (await api.post('token', { ...GRANT, code: (await api.login(form)).code })).body;

describe('the scope evidence', () => {
  it.each(['RS256', 'ES256'] as const)('puts a proof of the login beside the ID token, in ES256 whatever that one has: %s', async (alg) => {
    await api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { idTokenSignedResponseAlg: alg });
    const { sessionId, code } = await api.login(WITH_EVIDENCE);
    const { evidence, scope } = (await api.post('token', { ...GRANT, code })).body;
    expect(scope).toBe('openid evidence');
    expect(decodeProtectedHeader(String(evidence))).toEqual({ alg: 'ES256', kid: 'first-es256', typ: 'login-evidence+jwt' });
    const keys = (await api.get('jwks')).body as { keys: [] };
    const login = verifyEvidence({ evidence: String(evidence), keys, issuer: 'http://localhost:3000/openid', clientId: api.client.clientId });
    const { linkSubject } = api.platform.useCases.identity();
    expect(login.subjectId).toBe(await linkSubject.execute(api.client.clientId, api.identityId));
    expect(login.statement).toMatchObject({ sessionId, clientId: api.client.clientId });
  });

  it('is in the metadata, and no other scope asks for evidence', async () => {
    expect((await api.get('.well-known/openid-configuration')).body['scopes_supported']).toContain('evidence');
    expect(await tokensOf({ ...REQUEST, scope: 'openid profile' })).not.toHaveProperty('evidence');
  });

  it('works in a plain request too', async () => {
    await api.allowPlainRequests();
    const { sessionId } = await api.claim(api.tokenIn(await api.get('authorize', { ...WITH_EVIDENCE, client_id: api.client.clientId })));
    const code = (await api.finish(sessionId)).searchParams.get('code') ?? '';
    expect((await api.post('token', { ...GRANT, code })).body).toHaveProperty('evidence');
  });

  it('is refused as a hint in place of an ID token', async () => {
    const { evidence } = await tokensOf(WITH_EVIDENCE);
    expect((await api.post('par', { ...REQUEST, id_token_hint: String(evidence) })).body).toMatchObject({ error: 'invalid_request' });
  });
});
