import type { AddressInfo } from 'node:net';

import { type DeviceId, type IdentityId, InvalidRequest, type SessionId, type SubjectId } from '#kernel';
import { type Enrolment, Phone } from '#clients/software-phone';
import { type PersonalData } from '#domain/identity';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { type TestPlatform } from '#testkit/platform/test-platform';

import { createDeviceApiApp } from '../src/app.js';

export const PIN = '1470';
export const WRONG_PIN = '0000';

/** What a phone is told when it is refused. */
export const refusal = (status: number, errorCode: string, payload: object | null = null) => ({ status, ok: false, body: { errorCode, payload } });

const BOB: PersonalData = { givenName: 'Bob', familyName: 'Builder', personalCode: 'B-1', dateOfBirth: '1990-05-05', country: 'FI' };

/** The device API, listening, with two persons who can enrol phones. */
export const deviceApiFixture = async (environment: Readonly<Record<string, string>> = {}, overrides: Partial<TestPlatform> = {}) => {
  const world = await sessionFixture(overrides, environment);
  const { platform } = world;
  const { clock } = platform;
  const app = await createDeviceApiApp(platform);
  await app.listen(0, '127.0.0.1');
  const baseUrl = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const identity = { ...platform.useCases.identity(), ...platform.useCases.phones() };

  const activationCode = async (identityId: IdentityId = world.identityId) =>
    (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
  const enrolment = async (changes: Partial<Enrolment> = {}): Promise<Enrolment> => ({
    baseUrl,
    activationCode: changes.activationCode ?? (await activationCode()),
    name: 'Phone of Mari',
    platform: 'test',
    pin: PIN,
    ...changes,
  });
  const enrol = async (changes?: Partial<Enrolment>) => Phone.enrol(await enrolment(changes), { clock });

  /** A pending session, as the session API stores it. */
  const begin = ({ title, ...terms }: { subjectId?: SubjectId; title?: string } = {}): Promise<SessionId> =>
    world.begin(world.client.clientId, { requested: { attributes: ['name'], predicates: [] }, ...terms }, title === undefined ? {} : { title });

  let bobId: Promise<IdentityId> | undefined;
  return {
    ...world,
    app,
    baseUrl,
    identity,
    activationCode,
    enrolment,
    enrol,
    begin,
    scanned: async (phone: Phone) => {
      const sessionId = await begin();
      const reply = await phone.scan(sessionId);
      if (!reply.ok) throw new InvalidRequest('not scanned');
      return reply.body;
    },
    /** A new phone of the other person. */
    bob: async () => {
      bobId ??= identity.registerIdentity.execute(BOB);
      return enrol({ activationCode: await activationCode(await bobId), name: 'Phone of Bob' });
    },
    deviceEvents: async (deviceId: string) => (await platform.eventStore.read(`device-${deviceId as DeviceId}` as never)).map(({ type }) => type),
    close: async () => {
      platform.stop();
      await app.close();
      await platform.close();
    },
  };
};
