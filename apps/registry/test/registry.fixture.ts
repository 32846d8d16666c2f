import { createPublicKey } from 'node:crypto';

import { administrationUseCases, type AdminRole, type PortalMembers } from '#administration';
import { enrolmentBody, newPhoneKeys } from '#software-phone';
import { streamName } from '#event-store';
import { identityUseCases } from '#identity';
import { epochSeconds, fromBase64, sha256, type SubjectId } from '#kernel';
import { type TestPlatform, testPlatform } from '#platform/testing';
import { relyingPartyUseCases } from '#relying-party';

import { createRegistryApp } from '../src/app.js';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly text: string;
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

  const { portalMembers, portalSessions } = administrationUseCases(platform);
  const subject = (): SubjectId => platform.randomness.uuid<SubjectId>();
  /** The headers of a person who is logged in to the portal. */
  const person = async (subjectId = subject()): Promise<PersonHeaders> => ({
    cookie: `svc_portal=${(await portalSessions.begin(subjectId)).cookie.reveal()}`,
    'x-service-portal': '1',
  });

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
    person,
    /** The same for a new member. */
    member: async (scope: Parameters<PortalMembers['invite']>[1], subjectId = subject()): Promise<PersonHeaders> => {
      const { code } = await portalMembers.invite('a-post', scope, 'first-start');
      await portalMembers.join(code.reveal(), subjectId);
      return person(subjectId);
    },
    client: (changes: object = {}) => idOf('/clients', { ...CLIENT, ...changes }, 'clientId'),
    /** Whether the client may log in with the secret. */
    authenticates: async (clientId: string, clientSecret: unknown): Promise<boolean> =>
      (await relyingPartyUseCases(platform).authenticateClient.execute(clientId, sha256(String(clientSecret)))) !== undefined,
    identity: (changes: object = {}) => idOf('/identities', { ...MARI, ...changes }, 'identityId'),
    /** A phone enrolled with the code, with real keys and a real certificate. */
    enrol: async (activationCode: string) => {
      const keys = await newPhoneKeys(platform.randomness);
      const body = await enrolmentBody(keys, { activationCode, name: "Mari's phone", platform: 'test', pin: '1234' });
      return identityUseCases(platform).enrolDevice.execute({
        activationCode,
        name: body.name,
        platform: body.platform,
        pinProof: body.pin_proof,
        authenticationKey: createPublicKey(keys.authentication).export({ format: 'jwk' }),
        signingCsr: fromBase64(body.signing_csr) ?? Buffer.of(),
      });
    },
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
