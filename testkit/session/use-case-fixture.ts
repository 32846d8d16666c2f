import { type EventStore, SqliteEventStore, type Streams, UnitOfWork } from '#engines/event-store';
import { type ClientId, type IdentityId, LocatingTokens, Sealer, Secret, type SessionId, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import { OneSubjectKey } from '../kernel/one-subject-key.js';
import { StaticKeyRing } from '../kernel/static-key-ring.js';

import { type Device, identityRepositories, identityUseCases } from '#domain/identity';

import { CountryCalendars, LIFETIMES } from '#domain/session';
import { Sessions } from '#domain/session';
import { SigningResults } from '#domain/session';
import { type ApprovalAlarm, CheckApproval } from '#domain/session';
import { VerifySignature } from '#domain/session';
import { sessionHistory } from './session-history.js';

const asGiven = async (_: Streams, device: Device): Promise<Device> => device;

/** The parts for use cases of sessions: a store in memory unless one is given, a clock that stands still, and sessions of one client and one person. */
export const useCaseFixture = (given?: EventStore) => {
  const clock = new FixedClock();
  const randomness = new SystemRandomness();
  const eventStore: EventStore = given ?? new SqliteEventStore({ path: ':memory:', clock });
  const ring = (id: string) => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);
  const keys = { data: ring('data'), token: ring('token') };
  const identityId = randomness.uuid<IdentityId>();
  const clientId = randomness.uuid<ClientId>();
  const sealer = new Sealer(keys.data, randomness);
  const history = sessionHistory({ eventStore, clock, randomness, sealer, identityId });

  const identityKeys = { ...keys, pin: ring('pin'), subject: new OneSubjectKey(ring('subject').current()), index: ring('index').current() };
  const unitOfWork = new UnitOfWork(eventStore, clock);
  const parts = {
    eventStore,
    unitOfWork,
    clock,
    randomness,
    keys: identityKeys,
    sealer,
    settings: { environment: 'test', pushSessionTtl: 300 },
    certificateAuthority: undefined,
  };
  const { findEnrolment, findRevocation, readSigningCertificate } = identityUseCases({ ...parts, identityRepositories: identityRepositories(parts) });
  /** `certificates`: those of the phones, where no phone was enrolled with one. */
  const checkApproval = (alarm: ApprovalAlarm = () => undefined, certificates = readSigningCertificate) =>
    new CheckApproval(findEnrolment, new VerifySignature(certificates), sealer, alarm);

  /** A session of the client, or of another one. With `hosted`, the login page may claim it; with `signing`, it asks for a signature; with `verificationCode`, its page shows a code. */
  const begin = ({ hosted = false, signing = false, verificationCode = false, client = clientId } = {}): Promise<SessionId> =>
    history.begin(client, {
      ...(signing && { signatureType: 'SIGNING' }),
      ...(verificationCode && { verificationCode }),
      ...(hosted && { handoffExpiresAt: clock.now() + 60_000 }),
    });
  return {
    clock,
    randomness,
    eventStore,
    keys,
    identityId,
    clientId,
    history,
    begin,
    checkApproval,
    findEnrolment,
    findRevocation,
    unitOfWork,
    /** Client, person and phone as the request has found them. */
    unchanged: {
      sealer,
      calendars: new CountryCalendars(),
      accessTokens: new LocatingTokens(keys.token, 'openid-access-token'),
      findClient: { isEnabledIn: async () => true },
      evidenceOfLogins: { prepare: async () => undefined, isOffered: false },
      enrolmentProof: { isRegistered: async () => true, present: asGiven, presentIn: asGiven },
    },
    sessions: new Sessions(unitOfWork),
    sealer,
    results: new SigningResults(eventStore, sealer, LIFETIMES, clock),
  };
};
