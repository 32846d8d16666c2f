import { createHash, sign } from 'node:crypto';

import { LocatingTokens, type SessionId } from '#kernel';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';

import { openIdFixture } from './openid.fixture.js';

export const CIBA = 'urn:openid:params:grant-type:ciba';

/** The provider, and a person with a phone that acts by its use cases. `environment`: of a platform of its own. */
export const backchannelFixture = async (given?: SessionFixture, environment: Readonly<Record<string, string>> = {}) => {
  const api = await openIdFixture(given ?? (await sessionFixture({}, environment)));
  const { platform, client, identityId } = api;
  const { useCases } = platform;
  const keys = newKey['P-256']();
  const pinProof = createHash('sha256').update('1470').digest('base64url');
  const { activationCode } = await useCases.phones().issueActivationCode.execute(identityId);
  const { deviceId } = await useCases.phones().enrolDevice.execute({
    activationCode: activationCode.reveal(),
    name: 'Phone',
    platform: 'test',
    pinProof,
    authenticationKey: keys.publicKey.export({ format: 'jwk' }),
    signingCsr: signingRequest(newKey['P-256']()),
  });
  const phone = async () => {
    const device = await useCases.identity().findDevice.execute(deviceId);
    if (!device || device.status === 'REVOKED') throw new Error('the request is not authenticated');
    return device;
  };
  const authRequestIds = new LocatingTokens(platform.keys.token, 'openid-auth-req-id');
  const sessionOf = (authReqId: string): SessionId => authRequestIds.parse(authReqId)?.id as SessionId;
  const scan = async (authReqId: string) =>
    useCases.deviceSessions().scanSession.execute({ sessionId: sessionOf(authReqId), via: 'push' }, await phone());
  /** `choice`: the verification code that the person chooses. */
  const confirm = (authReqId: string, toBeSigned: string, choice?: string) => confirmSession(sessionOf(authReqId), toBeSigned, choice);
  const confirmSession = async (sessionId: SessionId, toBeSigned: string, choice?: string) => {
    const signature = sign('sha256', Buffer.from(toBeSigned, 'base64'), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');
    const request = { sessionId, pinProof, signature, ...(choice !== undefined && { verificationCode: choice }) };
    return useCases.deviceSessions().confirmSession.execute(request, await phone());
  };

  return {
    ...api,
    deviceId,
    phone,
    sessionOf,
    /** What the client calls the person. */
    sub: await useCases.identity().linkSubject.execute(client.clientId, identityId),
    scan,
    confirm,
    confirmSession,
    /** The sessions in the inbox of the phone. */
    pending: () => useCases.deviceSessions().listPendingSessions.execute(identityId),
    approve: async (authReqId: string) => confirm(authReqId, (await scan(authReqId)).toBeSigned),
    decline: async (authReqId: string) => {
      await scan(authReqId);
      await useCases.deviceSessions().declineSession.execute(sessionOf(authReqId), 'DECLINED', await phone());
    },
    /** Begins a login without a browser. */
    ask: async (form: Readonly<Record<string, string>>): Promise<string> => {
      const { status, body } = await api.post('bc-authorize', { scope: 'openid', ...form });
      if (status !== 200) throw new Error(`bc-authorize: ${status} ${JSON.stringify(body)}`);
      return String(body['auth_req_id']);
    },
    poll: (authReqId: string, headers?: Readonly<Record<string, string>>) => api.post('token', { grant_type: CIBA, auth_req_id: authReqId }, headers),
  };
};
