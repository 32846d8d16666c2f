import { createPublicKey } from 'node:crypto';

import { type AdminRole, FIRST_START, type PortalMembers } from '#domain/administration';
import { enrolmentBody, newPhoneKeys } from '#clients/software-phone';
import { streamName } from '#engines/event-store';
import { type DeviceId, epochSeconds, fromBase64, type IdentityId, sha256, type SubjectId } from '#kernel';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';
import { portalClientId } from '#domain/relying-party';

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

export const CLIENT = { name: 'Shop', redirect_uris: ['https://rp.example/callback'] };

/** A client, person or device that is not there. */
export const UNREGISTERED = '00000000-0000-4000-8000-000000000000';

export const MARI = { given_name: 'Mari', family_name: 'Maasikas', personal_code: '47101010033', date_of_birth: '1971-01-01', country: 'EE' };

/** The registry over a store of its own, called with the admin token. */
export const registryFixture = async (given?: TestPlatform) => {
  const platform = given ?? (await testPlatform());
  const app = await createRegistryApp(platform);
  const authorization = `Bearer ${platform.adminToken.reveal()}`;

  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: `/admin/v1${path}`,
      headers: { ...(headers['cookie'] === undefined && { authorization }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const json = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, body: json ? (answer.json() as Record<string, unknown>) : {}, headers: answer.headers, text: answer.body };
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
    const body = await enrolmentBody(keys, { activationCode, name: "Mari's phone", platform: 'test', pin: '1234' });
    return enrolDevice.execute({
      activationCode,
      name: body.name,
      platform: body.platform,
      pinProof: body.pin_proof,
      authenticationKey: createPublicKey(keys.authentication).export({ format: 'jwk' }),
      signingCsr: fromBase64(body.signing_csr) ?? Buffer.of(),
    });
  };
  const phoneOf = async (identityId: IdentityId): Promise<DeviceId> =>
    (await enrol((await phones.issueActivationCode.execute(identityId, { bySecurity: true })).activationCode.reveal())).deviceId;
  const newPerson = async (): Promise<PersonWithPhone> => {
    const personalCode = platform.randomness.uuid().slice(0, 30);
    const person = { givenName: 'Anna', familyName: 'Ozola', personalCode, dateOfBirth: '1980-01-01', country: 'LV' };
    const identityId = await registerIdentity.execute(person);
    return { identityId, subjectId: await subjectOf(identityId), deviceId: await phoneOf(identityId) };
  };
  /** The headers of a person who is logged in to the portal. */
  const session = async (given?: PersonWithPhone): Promise<PersonHeaders> => {
    const { subjectId, deviceId } = given ?? (await newPerson());
    return { cookie: `svc_portal=${(await portalSessions.begin(subjectId, deviceId)).cookie.reveal()}`, 'x-service-portal': '1' };
  };

  const inADay = (): number => epochSeconds(platform.clock.now()) + 24 * 3_600;

  return {
    platform,
    app,
    call,
    authorization,
    /** Epoch seconds. */
    inADay,
    /** A named admin token, valid for a day. */
    token: async (role: AdminRole, name: string = role) =>
      (await call('POST', '/admin-tokens', { name, role, expires_at: inADay() })).body as { token: string; tokenId: string },
    subjectOf,
    phoneOf,
    newPerson,
    session,
    /** The same for a new member. */
    member: async (scope: Parameters<PortalMembers['invite']>[1], given?: PersonWithPhone): Promise<PersonHeaders> => {
      const person = given ?? (await newPerson());
      const { code } = await portalMembers.invite('a-post', scope, { id: FIRST_START });
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
