import { createHmac, createPublicKey, sign } from 'node:crypto';

import { type AdminRole, FIRST_START, type TeamRole } from '#domain/administration';
import { pinProof } from '#clients/device';
import { enrolmentBody, newPhoneKeys } from '#clients/software-phone';
import { streamName } from '#engines/event-store';
import { type ClientId, type DeviceId, epochSeconds, fromBase64, type IdentityId, once, Secret, sha256, type SubjectId } from '#kernel';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';
import { portalClientId } from '#domain/relying-party';
import { portalCookieName } from '#service/http';

import { tokenRoutes } from '../src/admin-rights.js';
import { createRegistryApp } from '../src/app.js';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** A registered person with a phone, whom the portal knows from a login. */
export interface PersonWithPhone {
  readonly identityId: IdentityId;
  /** At the portal. */
  readonly subjectId: SubjectId;
  readonly deviceId: DeviceId;
}

export type PersonHeaders = Record<'cookie' | 'x-service-portal', string>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** An approval that a person was asked for, as the portal gets it. */
export interface AskedApproval {
  readonly approvalId: string;
  readonly title: string;
  readonly expiresAt: number;
  readonly verificationCode: string;
}

/** What a phone does with an approval. Default: it signs what it is shown. */
export interface DecidingPhone {
  readonly deviceId: DeviceId;
  readonly showsDetails?: boolean;
  /** Changes the bytes that it signs. */
  readonly altered?: (statement: string) => string;
  readonly declines?: boolean;
}

const PIN = '1234';

export const CLIENT = { name: 'Shop', redirect_uris: ['https://rp.example/callback'] };

/** A client, person or device that is not there. */
export const UNREGISTERED = '00000000-0000-4000-8000-000000000000';

export const MARI = { given_name: 'Mari', family_name: 'Maasikas', personal_code: '47101010033', date_of_birth: '1971-01-01', country: 'EE' };

/** The rights of a new member. In a team without a role: an owner. */
export type MemberScope = { readonly roles: readonly AdminRole[] } | { readonly clientId: ClientId; readonly role?: TeamRole };

const proofOf = (pinKey: Buffer): Promise<string> =>
  pinProof({ hmac: async (bytes) => new Uint8Array(createHmac('sha256', pinKey).update(bytes).digest()) }, PIN);

/** The registry over a store of its own, called with the admin token. */
export const registryFixture = async (given?: TestPlatform) => {
  const platform = given ?? (await testPlatform());
  const app = await createRegistryApp(platform);
  const authorization = `Bearer ${platform.adminToken.reveal()}`;

  /** One request, whatever it answers. */
  const send = async (method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: `/admin/v1${path}`,
      headers: { ...(headers['cookie'] === undefined && { authorization }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const json = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, body: json ? (answer.json() as Record<string, unknown>) : {}, headers: answer.headers, text: answer.body };
  };

  /** The keys of the phones, and by which phone each session of the portal began. */
  const phoneKeys = new Map<DeviceId, Awaited<ReturnType<typeof newPhoneKeys>>>();
  const phoneOfCookie = new Map<string, DeviceId>();

  /** Lets the phone decide on the approval. Answers what the phone was shown. */
  const approve = async (approval: AskedApproval, phone: DecidingPhone) => {
    const [request] = await platform.eventStore.read(streamName('changerequest', approval.approvalId));
    const { sessionId } = request?.data as { sessionId: string };
    return decide(sessionId, approval.verificationCode, phone);
  };
  /** The same for any session that was pushed to a phone of this fixture. */
  const decide = async (
    sessionId: string,
    verificationCode: string | undefined,
    { deviceId, showsDetails = true, altered, declines }: DecidingPhone,
  ) => {
    const { findDevice } = platform.useCases.identity();
    const { scanSession, confirmSession, declineSession } = platform.useCases.deviceSessions();
    const [device, keys] = [await findDevice.execute(deviceId), phoneKeys.get(deviceId)];
    if (!device || !keys) throw new Error('the phone is none of this fixture');
    const scanned = await scanSession.execute({ sessionId, via: 'push', showsDetails }, device);
    if (declines) {
      await declineSession.execute(sessionId, 'DECLINED', device);
      return scanned;
    }
    const statement = Buffer.from(scanned.toBeSigned, 'base64').toString();
    const signature = sign('sha256', Buffer.from(altered?.(statement) ?? statement), { key: keys.authentication, dsaEncoding: 'ieee-p1363' });
    await confirmSession.execute(
      {
        sessionId,
        pinProof: await proofOf(keys.pinKey),
        signature: signature.toString('base64'),
        ...(verificationCode !== undefined && { verificationCode }),
      },
      device,
    );
    return scanned;
  };
  const complete = (approval: AskedApproval, headers: Record<string, string>): Promise<Answer> =>
    send('POST', `/approvals/${approval.approvalId}/completion`, undefined, headers);
  /** One request. A person approves a critical change on the phone, and the portal carries it out. */
  const call = async (method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await send(method, path, body, headers);
    const deviceId = phoneOfCookie.get(headers['cookie'] ?? '');
    if (answer.status !== 202 || answer.body['approval'] === undefined || !deviceId) return answer;
    const approval = answer.body['approval'] as AskedApproval;
    await approve(approval, { deviceId });
    return complete(approval, headers);
  };

  const idOf = async (path: string, body: object, id: string): Promise<string> => (await call('POST', path, body)).body[id] as string;

  const { portalMembers, portalSessions } = platform.useCases.administration();
  const { registerIdentity, linkSubject } = platform.useCases.identity();
  const phones = platform.useCases.phones();
  /** The person's subjectId at the portal. As a login does, this stores the link. */
  const subjectOf = (identityId: IdentityId): Promise<SubjectId> =>
    linkSubject.execute(portalClientId(platform.keys.index, platform.settings.environment), identityId);
  /** A phone enrolled with the code, with real keys and a real certificate. */
  const enrol = async (activationCode: string, enrolDevice = phones.enrolDevice) => {
    const keys = await newPhoneKeys(platform.randomness);
    const body = await enrolmentBody(keys, { activationCode, name: "Mari's phone", platform: 'test', pin: PIN });
    const enrolled = await enrolDevice.execute({
      activationCode,
      name: body.name,
      platform: body.platform,
      pinProof: body.pin_proof,
      authenticationKey: createPublicKey(keys.authentication).export({ format: 'jwk' }),
      signingCsr: fromBase64(body.signing_csr) ?? Buffer.of(),
    });
    phoneKeys.set(enrolled.deviceId, keys);
    return enrolled;
  };
  const phoneOf = async (identityId: IdentityId): Promise<DeviceId> =>
    (await enrol((await phones.issueActivationCode.execute(identityId, { bySecurity: true })).activationCode.reveal())).deviceId;
  const newPerson = async (): Promise<PersonWithPhone> => {
    const personalCode = platform.randomness.uuid().slice(0, 30);
    const person = { givenName: 'Anna', familyName: 'Ozola', personalCode, dateOfBirth: '1980-01-01', country: 'LV' };
    const identityId = await registerIdentity.execute(person);
    return { identityId, subjectId: await subjectOf(identityId), deviceId: await phoneOf(identityId) };
  };
  /** The portal's own client, which `console` registers: phones are asked by it. */
  const ownClient = once(() => {
    const terms = {
      redirectUris: ['https://portal.example/callback'],
      allowedAttributes: [],
      allowedPredicates: [],
      dynamicQr: true,
      verificationCode: true,
    };
    return platform.useCases.relyingParties().keepOwnClient.execute(terms, new Secret('of-the-portal'));
  });
  /** The headers of a person who is logged in to the portal. */
  const session = async (given?: PersonWithPhone): Promise<PersonHeaders> => {
    await ownClient();
    const { subjectId, ...ids } = given ?? (await newPerson());
    const cookie = `${portalCookieName(platform.settings.portalUrl)}=${(await portalSessions.begin(subjectId, ids)).cookie.reveal()}`;
    phoneOfCookie.set(cookie, ids.deviceId);
    return { cookie, 'x-service-portal': '1' };
  };

  const inADay = (): number => epochSeconds(platform.clock.now()) + 24 * 3_600;

  return {
    platform,
    app,
    call,
    send,
    approve,
    /** Lets a phone of this fixture approve a session for which no page waits, so without a code. */
    approveWithoutPage: (sessionId: string, deviceId: DeviceId) => decide(sessionId, undefined, { deviceId }),
    complete,
    authorization,
    /** Epoch seconds. */
    inADay,
    /** A named admin token, valid for a day, for every route that a token of the role may have. */
    token: async (role: AdminRole, name: string = role, reach: object = { routes: tokenRoutes(role).named }) =>
      (await call('POST', '/admin-tokens', { name, role, expires_at: inADay(), ...reach })).body as { token: string; tokenId: string },
    subjectOf,
    phoneOf,
    newPerson,
    session,
    /** The same for a new member. */
    member: async (scope: MemberScope, given?: PersonWithPhone): Promise<PersonHeaders> => {
      const person = given ?? (await newPerson());
      const { code } = await portalMembers.invite('a-post', 'clientId' in scope ? { role: 'owner', ...scope } : scope, { id: FIRST_START });
      await portalMembers.join(code.reveal(), person);
      return session(person);
    },
    client: (changes: object = {}) => idOf('/clients', { ...CLIENT, ...changes }, 'clientId'),
    /** Whether the client may log in with the secret. */
    authenticates: async (clientId: string, clientSecret: unknown): Promise<boolean> =>
      (await platform.useCases.relyingParties().authenticateClient.execute(clientId, sha256(String(clientSecret)))) !== undefined,
    identity: (changes: object = {}) => idOf('/identities', { ...MARI, ...changes }, 'identityId'),
    enrol,
    events: async (category: string, id: string) => (await platform.eventStore.read(streamName(category, id))).map(({ type }) => type),
    /** The data of the stream's events. */
    data: async (category: string, id: string) => (await platform.eventStore.read(streamName(category, id))).map(({ data }) => data),
    close: async () => {
      platform.stop();
      await app.close();
      await platform.close();
    },
  };
};
