import { createHash, sign } from 'node:crypto';

import { IdentityNotFound } from '#domain/identity';
import { type DeviceId, type IdentityId, type SessionId, sha256 } from '#kernel';
import type { Platform } from '#service/platform';
import { Certificate } from '#signatures/pki';
import type { StoreEngine } from '#testkit/event-store/store-engines';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';
import { CODE_VERIFIER } from '#testkit/session/login-request';

import { sessionFixture } from './session-fixture.js';

type UseCases = Platform['useCases'];

const unlessErased = (error: unknown): void => {
  if (!(error instanceof IdentityNotFound)) throw error;
};

/** What a party does, by the use cases of the process that it asks. Rejects when it is refused. */
export type Deed = (useCases: UseCases) => Promise<unknown>;

export type LoginParties = Awaited<ReturnType<typeof loginParties>>;

/** Of a browser: RFC 8291 appendix A. */
const SUBSCRIPTION = {
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** A day before its end, the certificate of the phone is to be renewed. Milliseconds. */
const DAY = 86_400_000;

/**
 * A client, a person and the person's phone, enrolled with a key for signatures, and three logins: one that the phone may scan, one that it has scanned, and one that is completed. All of it was made by the use cases of one process; others over the same
 * store may go on.
 */
export const loginParties = async (openStore: StoreEngine['open']) => {
  const fixture = await sessionFixture({}, {}, openStore);
  const { platform, client, identityId } = fixture;
  const { clientId } = client;
  const secretHash = sha256(client.clientSecret.reveal());
  const authentication = newKey['P-256']();
  const csr = signingRequest(newKey['P-256']());
  const pinProof = createHash('sha256').update('1470').digest('base64url');

  const { useCases, clock } = platform;
  const { activationCode } = await useCases.phones().issueActivationCode.execute(identityId);
  const { deviceId, signingCertificate } = await useCases.phones().enrolDevice.execute({
    activationCode: activationCode.reveal(),
    name: 'Phone',
    platform: 'test',
    pinProof,
    authenticationKey: authentication.publicKey.export({ format: 'jwk' }),
    signingCsr: csr,
  });
  if (signingCertificate) clock.advance(Certificate.parse(signingCertificate.certificate).notAfter - DAY - clock.now());

  /** The phone, as a request of it is authenticated. */
  const phone = async (by: UseCases) => {
    const device = await by.identity().findDevice.execute(deviceId);
    if (!device || device.status === 'REVOKED') throw new Error('the request is not authenticated');
    return device;
  };
  const scan = async (by: UseCases, sessionId: SessionId) => by.deviceSessions().scanSession.execute({ sessionId }, await phone(by));
  const approve = async (by: UseCases, sessionId: SessionId, toBeSigned: string) => {
    const signature = sign('sha256', Buffer.from(toBeSigned, 'base64'), { key: authentication.privateKey, dsaEncoding: 'ieee-p1363' });
    return by.deviceSessions().confirmSession.execute({ sessionId, pinProof, signature: signature.toString('base64') }, await phone(by));
  };

  const [pending, scanned, completed] = [await fixture.begin(clientId), await fixture.begin(clientId), await fixture.begin(clientId)] as const;
  const { toBeSigned } = await scan(useCases, scanned);
  await approve(useCases, completed, (await scan(useCases, completed)).toBeSigned);
  const redirect = await useCases.relyingPartySessions().completeSession.execute(completed, clientId);
  const code = new URL(redirect).searchParams.get('code') ?? '';

  const deeds = {
    scan: (by) => scan(by, pending),
    confirm: (by) => approve(by, scanned, toBeSigned),
    exchange: async (by) => {
      const authenticated = await by.relyingParties().authenticateClient.execute(clientId, secretHash);
      if (!authenticated) throw new Error('the request is not authenticated');
      return by.relyingPartySessions().exchangeToken.execute({ code, codeVerifier: CODE_VERIFIER }, authenticated);
    },
    block: async (by) => by.deviceSessions().blockClient.execute(clientId, await phone(by)),
    subscribe: async (by) => by.pushesOfPhones().subscribeToPush.execute(await phone(by), SUBSCRIPTION),
    renew: async (by) => by.identity().renewCertificate.execute(csr, await phone(by)),
    revoke: (by) => by.phones().revokeDevice.execute(identityId, deviceId),
    disable: (by) => by.relyingParties().enableClient.execute(clientId, false),
    // A person whom another request has erased is erased.
    erase: (by) => by.erasures().eraseIdentity.execute(identityId).catch(unlessErased),
  } as const satisfies Readonly<Record<string, Deed>>;

  const ids: { readonly identityId: IdentityId; readonly deviceId: DeviceId; readonly sessions: readonly SessionId[] } = {
    identityId,
    deviceId,
    sessions: [pending, scanned, completed],
  };
  return { platform, deeds, ...ids };
};
