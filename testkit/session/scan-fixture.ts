import type { Device, SubjectIds } from '#domain/identity';
import { type DeviceId, Secret, type SessionId, type SubjectId } from '#kernel';
import type { Client, FindClient } from '#domain/relying-party';

import { QrFrames } from '#domain/session';
import { RefusedDevices } from '#domain/session';
import type { SessionCreated } from '#domain/session';
import { VerificationCodes } from '#domain/session';
import { WaitingPages } from '#domain/session';
import { sessionStream } from '#domain/session';
import { Statements } from '#domain/session';
import type { ScanWatch } from '#domain/session';
import type { PrepareStatement, Statement, StatementInput } from '#domain/session';
import { type ScanRequest, ScanSession } from '#domain/session';
import { DEVICE } from './session-history.js';
import { useCaseFixture } from './use-case-fixture.js';

const KEY = new Secret(Buffer.alloc(32, 1));

/** The values that are derived from a key, in these tests. */
export const derived = {
  frames: new QrFrames(KEY),
  codes: new VerificationCodes(KEY),
  pages: new WaitingPages(KEY),
  refusedDevices: new RefusedDevices(KEY),
};

/** The subjectId of the person who holds {@link DEVICE}. */
export const PERSON = '8f3a0000-0000-8000-8000-000000000001' as SubjectId;
/** Another phone. */
export const OTHER = '00000000-0000-4000-8000-00000000d002' as DeviceId;
export const TEXTS = { title: 'A title of the client', state: 'state of the client' };

/** The scan by {@link DEVICE}, over stored sessions. The client and the statements are the test's own. */
export const scanFixture = () => {
  const fixture = useCaseFixture();
  const given: { client: Partial<Client> | undefined; statement: (number: number, input: StatementInput) => Statement } = {
    client: { name: 'Shop', enabled: true, redirectUris: ['https://rp.example/callback'] },
    // numbered, so that two statements differ
    statement: (number, { relyingPartyName }) => ({ scan: { relyingPartyName, signatureAlgorithm: 'ES256', toBeSigned: `statement ${number}` } }),
  };
  const seen: { readonly asked: unknown[]; readonly prepared: StatementInput[]; readonly watched: unknown[] } = {
    asked: [],
    prepared: [],
    watched: [],
  };
  const scanWatch = {
    tried: (...tried: unknown[]) => seen.watched.push(['tried', ...tried]),
    scanned: (...scanned: unknown[]) => seen.watched.push(['scanned', ...scanned]),
  };
  const { unitOfWork, sessions, sealer, results, history, clientId, identityId, eventStore, unchanged } = fixture;
  const useCase = new ScanSession({
    unitOfWork,
    sessions,
    sealer,
    findClient: { ...unchanged.findClient, execute: async (id: string) => (seen.asked.push(id), given.client) } as unknown as FindClient,
    enrolmentProof: unchanged.enrolmentProof,
    subjectIds: { accepted: (...whose: unknown[]) => (seen.asked.push(whose), [PERSON]) } as unknown as SubjectIds,
    prepareStatement: { execute: async (input: StatementInput) => given.statement(seen.prepared.push(input), input) } as unknown as PrepareStatement,
    statements: new Statements(results, sealer),
    refusedDevices: derived.refusedDevices,
    qrFrames: derived.frames,
    verificationCodes: derived.codes,
    waitingPages: derived.pages,
    scanWatch: scanWatch as unknown as ScanWatch,
    loginUrl: 'https://login.example/',
  });
  return {
    ...fixture,
    given,
    seen,
    start: (terms: Partial<SessionCreated['data']> = {}, texts: Readonly<Record<string, string>> = {}): Promise<SessionId> =>
      history.begin(clientId, terms, texts),
    scan: (sessionId: string, request: Partial<ScanRequest> = {}, device: Partial<Device> = {}) =>
      useCase.execute({ sessionId, ...request }, { deviceId: DEVICE, identityId, status: 'ACTIVE', authenticationKey: {}, ...device }),
    /** The data of the events of the scan. */
    scanned: async (sessionId: SessionId) =>
      (await eventStore.read(sessionStream(sessionId))).filter(({ type }) => type === 'SessionScanned').map(({ data }) => data),
  };
};
