import { generateKeyPairSync } from 'node:crypto';

import { type IdentityId, type RingKey, Sealer, Secret, sha256Base64url, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import { OneSubjectKey } from '../kernel/one-subject-key.js';
import { StaticKeyRing } from '../kernel/static-key-ring.js';
import { SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { CertificateAuthority } from '#signatures/pki';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import type { ListFault, PersonalData } from '#domain/identity';
import type { PortalPersons } from '#domain/identity';
import {
  erasureUseCases,
  type FurtherErasures,
  identityLists,
  type IdentityParts,
  identityRepositories,
  identityUseCases,
  phoneUseCases,
} from '#domain/identity';
import { MemoryErasureList } from './memory-erasure-list.js';
import { NoPortalPersons } from './no-portal-persons.js';

export const MARI: PersonalData = {
  givenName: 'Mari',
  familyName: 'Maasikas',
  personalCode: '47101010033',
  dateOfBirth: '1971-01-01',
  country: 'EE',
};

/** Of every certificate that the fixture issues, epoch milliseconds. */
export const CERTIFICATE_END = Date.UTC(2028, 0, 1);

/** The PIN proof that a phone would send. */
export const pinProof = (pin: string): string => sha256Base64url(`the phone's key ${pin}`);

/** Answers certificates that are random text. libs/signatures/pki tests the real authority. */
class TextAuthority extends CertificateAuthority {
  readonly #randomness = new SystemRandomness();
  issued = 0;

  override async issue() {
    this.issued++;
    const serial = this.#randomness.bytes(16).toString('hex');
    return {
      certificate: Buffer.from(`certificate ${serial}`),
      chain: [Buffer.from('issuing CA'), Buffer.from('root')],
      serial,
      notAfter: CERTIFICATE_END,
    };
  }
}

const NO_SESSIONS: FurtherErasures = {
  steps: [],
  sessions: async (persons) => new Set(persons.map(({ identityId }) => identityId)),
  streams: [(identityId) => streamName('further', identityId)],
};

/** The use cases over a real store. */
export const identityFixture = (
  path = ':memory:',
  furtherErasures: Partial<FurtherErasures> = {},
  portalPersons: PortalPersons = new NoPortalPersons(),
) => {
  const clock = new FixedClock();
  const store = new SqliteEventStore({ path, clock });
  const certificateAuthority = new TextAuthority();
  const randomness = new SystemRandomness();
  const erasureList = new MemoryErasureList();
  /** What the reconcilers were told of the list. */
  const listFaults: ListFault[] = [];
  /** Told of each person whom a reconciler erases again. */
  const again: { by: (identityId: IdentityId, erase: () => Promise<void>) => Promise<void> } = { by: (_, erase) => erase() };
  const projections = projectionsInMemory(store);
  // Reads show at once what this process has changed.
  const observed = (unitOfWork: UnitOfWork): UnitOfWork => {
    unitOfWork.observe((stream, revision) => projections.note(stream, revision));
    return unitOfWork;
  };
  const parts: IdentityParts & { readonly projections: Projections } = {
    eventStore: store,
    unitOfWork: observed(new UnitOfWork(store, clock)),
    projections,
    clock,
    randomness,
    keys: { token: ring('token'), pin: ring('pin'), subject: new OneSubjectKey(key('subject')), index: key('index') },
    sealer: new Sealer(ring('data'), randomness),
    settings: { environment: 'test', pushSessionTtl: 300 },
    certificateAuthority,
  };
  const stopping = new AbortController();
  const useCasesOf = (changes: Partial<typeof parts> = {}) => {
    const given = { ...parts, unitOfWork: observed(new UnitOfWork(store, clock)), ...changes };
    const changed = { ...given, identityRepositories: identityRepositories(given) };
    const identity = identityUseCases(changed);
    const { eraseIdentity, proveErasure, reconciler } = erasureUseCases({ ...changed, erasureList }, { ...NO_SESSIONS, ...furtherErasures });
    return {
      ...identity,
      ...phoneUseCases({ ...changed, checkPin: identity.checkPin }, portalPersons),
      ...identityLists({ ...changed, readPersonalData: identity.readPersonalData }),
      eraseIdentity,
      proveErasure,
      erasureReconciler: () =>
        reconciler(stopping.signal, { fault: (fault) => listFaults.push(fault), again: (identityId, erase) => again.by(identityId, erase) }),
    };
  };
  const useCases = useCasesOf();
  const enrol = async (identityId: IdentityId, activationCode?: string) => {
    const code = activationCode ?? (await useCases.issueActivationCode.execute(identityId)).activationCode.reveal();
    const { deviceId, name, signingCertificate } = await useCases.enrolDevice.execute({ ...enrolmentRequest(), activationCode: code });
    if (!signingCertificate) throw new Error('the authority of these tests issues a certificate');
    return { deviceId, name, ...signingCertificate };
  };
  const close = async () => {
    stopping.abort();
    await projections.close();
    await store.close();
  };
  return {
    ...useCases,
    parts,
    clock,
    store,
    randomness,
    certificateAuthority,
    erasureList,
    listFaults,
    again,
    enrol,
    close,
    /** The same use cases as another process has them, with changed parts where they are given. */ replica: useCasesOf,
  };
};

export const enrolmentRequest = () => ({
  activationCode: '',
  name: "Mari's phone",
  platform: 'Android 16',
  pinProof: pinProof('1234'),
  authenticationKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  signingCsr: Buffer.from('a request'),
});

const key = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const ring = (id: string) => new StaticKeyRing([key(id)]);
