import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { UnitOfWork } from '#engines/event-store';
import { type Device, type ReadPersonalData, WrongPin } from '#domain/identity';
import { type DeviceId, InvalidRequest, LocatingTokens, type SessionId, type SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import { CODE_VERIFIER } from '#testkit/session/login-request';
import { CODES, confirmSessionOver, FINISH_NUMBERS, type ReplacedParts } from '#testkit/session/confirm-session-over';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { CompleteSession } from './complete-session.js';
import { ExchangeToken } from './exchange-token.js';

const SUBJECT = '00000000-0000-8000-8000-000000000001' as SubjectId;

let fixture: ReturnType<typeof useCaseFixture>;
/** The sessions of this process. Those of the fixture belong to another process. */
let sessions: Sessions;
let unitOfWork: UnitOfWork;
let sessionId: SessionId;
let reads: number;

const begin = async (options: Parameters<typeof fixture.begin>[0] = {}) => {
  fixture = useCaseFixture();
  // Each read and each append is a call of its own, as with a store in another process.
  fixture.eventStore.appendTogether = () => Promise.resolve(undefined) as never;
  unitOfWork = new UnitOfWork(fixture.eventStore, fixture.clock);
  sessions = new Sessions(unitOfWork);
  sessionId = await fixture.begin(options);
  await fixture.history.enrol();
  const { history, identityId } = fixture;
  const toBeSigned = Buffer.from(JSON.stringify({ sessionId, clientId: fixture.clientId })).toString('base64');
  const sealed = history.seal(sessionId, { relyingPartyName: 'Shop', toBeSigned, signatureAlgorithm: 'ES256' });
  await sessions.handle(sessionId, { type: 'ScanSession', deviceId: DEVICE, identityId, subjectIds: [SUBJECT], sealed });
  countReads();
};
/** Counts the reads of sessions from now on. */
const countReads = () => {
  reads = 0;
  jest.restoreAllMocks();
  const read = fixture.eventStore.read.bind(fixture.eventStore);
  jest.spyOn(fixture.eventStore, 'read').mockImplementation((stream, options) => {
    if (stream === sessionStream(sessionId)) reads += 1;
    return options ? read(stream, options) : read(stream);
  });
};
afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.eventStore.close();
});

const lastEvent = async () => (await fixture.history.events(sessionId)).at(-1);
const withdraw = (by: Sessions) =>
  by.handle(sessionId, { type: 'CancelSession', by: { clientId: fixture.clientId }, reason: 'WITHDRAWN' }).then(() => undefined);

describe('a login that this process has scanned', () => {
  const RIGHT = 'right';
  let judged: string[];
  beforeEach(async () => {
    judged = [];
    await begin();
  });

  /** Judges a PIN as {@link CheckPin} does, and notes each PIN that it judges. */
  const checkPin: ReplacedParts['checkPin'] = {
    in: async (streams, { pinProof }) => {
      if (pinProof === '') throw new InvalidRequest('`pin_proof` is required');
      if (pinProof !== RIGHT) streams.onReads();
      judged.push(pinProof);
      return pinProof === RIGHT ? { accepted: true } : { accepted: false, attemptsLeft: 1, locked: false };
    },
  };

  const confirm = (request: { pinProof?: string; verificationCode?: string } = {}, device: Partial<Device> = {}) => {
    const useCase = confirmSessionOver({ ...fixture, sessions, unitOfWork }, { checkPin });
    const found: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {}, ...device };
    return useCase.execute({ sessionId, pinProof: RIGHT, signature: 'c2lnbmF0dXJl', ...request }, found);
  };

  it('is confirmed without a read', async () => {
    expect(await confirm()).toEqual({ status: 'CONFIRMED' });
    expect({ reads, judged }).toEqual({ reads: 0, judged: [RIGHT] });
    expect(await lastEvent()).toBe('SessionConfirmed');
  });

  it('is confirmed once: the second time answers what a read shows', async () => {
    await confirm();
    countReads();
    expect(await confirm()).toEqual({ status: 'CONFIRMED' });
    expect(reads).toBeGreaterThan(0);
    expect(judged).toEqual([RIGHT]);
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'SessionConfirmed')).toHaveLength(1);
  });

  it('is not confirmed once another process has ended it', async () => {
    await withdraw(fixture.sessions);
    await expect(confirm()).rejects.toMatchObject({ code: 'session_expired' });
    expect(await lastEvent()).toBe('SessionCancelled');
    // The process has judged the right PIN, as in a race. The next try begins with a read.
    await expect(confirm()).rejects.toMatchObject({ code: 'session_expired' });
    expect(judged).toEqual([RIGHT]);
  });

  it('that another process has ended costs no try at the PIN', async () => {
    await withdraw(fixture.sessions);
    for (const pinProof of ['wrong', 'wrong again']) await expect(confirm({ pinProof })).rejects.toMatchObject({ code: 'session_expired' });
    expect(judged).toEqual([]);
  });

  it('is read before a wrong PIN is judged', async () => {
    await expect(confirm({ pinProof: 'wrong' })).rejects.toBeInstanceOf(WrongPin);
    expect(reads).toBe(1);
  });

  it('is read before a malformed request is refused', async () => {
    await withdraw(fixture.sessions);
    await expect(confirm({ pinProof: '' })).rejects.toMatchObject({ code: 'session_expired' });
  });

  it('is unknown to another device', async () => {
    const deviceId = '00000000-0000-4000-8000-00000000d002' as DeviceId;
    await expect(confirm({}, { deviceId })).rejects.toMatchObject({ code: 'session_not_found' });
    expect({ reads, judged }).toEqual({ reads: 1, judged: [] });
  });

  it('is not confirmed by a locked device', async () => {
    await expect(confirm({}, { status: 'LOCKED' })).rejects.toMatchObject({ code: 'device_locked' });
    expect({ reads, judged }).toEqual({ reads: 1, judged: [] });
  });

  it('ends at its deadline', async () => {
    fixture.clock.advance(120_000);
    await expect(confirm()).rejects.toMatchObject({ code: 'session_expired' });
    expect({ last: await lastEvent(), judged }).toEqual({ last: 'SessionExpired', judged: [] });
  });

  it('whose waiting page shows a code is confirmed with that code only', async () => {
    await fixture.eventStore.close();
    await begin({ verificationCode: true });
    await expect(confirm()).rejects.toMatchObject({ code: 'invalid_request' });
    const shown = CODES.shown(sessionId);
    const wrong = CODES.choices(sessionId).find((choice) => choice !== shown) ?? '';
    await expect(confirm({ verificationCode: wrong })).rejects.toMatchObject({ code: 'wrong_verification_code' });
    expect({ last: await lastEvent(), judged }).toEqual({ last: 'SessionCancelled', judged: [] });
  });

  it('is read when it is a signature', async () => {
    await fixture.eventStore.close();
    await begin({ signing: true });
    expect(await confirm()).toEqual({ status: 'SCANNED' });
    expect(reads).toBeGreaterThan(0);
  });
});

describe('a login that this process has completed', () => {
  let code: string;
  beforeEach(async () => {
    await begin();
    const at = fixture.clock.now();
    const text = JSON.stringify({ sessionId, clientId: fixture.clientId });
    const signature = fixture.history.sign(text);
    await fixture.history.append(sessionId, { type: 'SessionConfirmed', data: { signature, codeExpiresAt: at + 60_000, at } });
    const session = await sessions.handle(sessionId, { type: 'CompleteSession' });
    code = new LocatingTokens(fixture.keys.token, 'authorization-code').make(sessionId, 'grant' in session ? session.grant.eventId : '');
    countReads();
  });

  /** The process of the fixture is another one. */
  const elsewhere = () => ({ sessions: fixture.sessions, unitOfWork: fixture.unitOfWork });
  const exchange = (by = { sessions, unitOfWork }, codeVerifier = CODE_VERIFIER) => {
    const { keys, clock, clientId, findRevocation } = fixture;
    const codes = new LocatingTokens(keys.token, 'authorization-code');
    const linkSubject = { in: async () => SUBJECT };
    const readPersonalData = {} as ReadPersonalData;
    const checkApproval = fixture.checkApproval();
    const useCase = new ExchangeToken({ ...fixture.unchanged, ...by, codes, readPersonalData, linkSubject, findRevocation, checkApproval, clock });
    return useCase.execute({ code, codeVerifier }, { clientId } as Client);
  };

  it('is redeemed without a read, once', async () => {
    expect(await exchange()).toEqual({ subjectId: SUBJECT });
    expect(reads).toBe(0);
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'already redeemed' });
    expect(reads).toBe(1);
  });

  it('is not redeemed once another process has redeemed it', async () => {
    await exchange(elsewhere());
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'already redeemed' });
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'CodeRedeemed')).toHaveLength(1);
  });

  it('is redeemed once of many exchanges at the same time, in this process and in another one', async () => {
    const outcomes = await Promise.allSettled([exchange(), exchange(elsewhere()), exchange(), exchange(elsewhere())]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'CodeRedeemed')).toHaveLength(1);
  });

  it('is refused on a read, and stays redeemable', async () => {
    await expect(exchange(undefined, `${CODE_VERIFIER}x`)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(reads).toBe(1);
    expect(await exchange()).toEqual({ subjectId: SUBJECT });
  });

  it('is refused when its code has expired', async () => {
    fixture.clock.advance(60_000);
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'expired' });
  });
});

describe('a login that another request of this process has confirmed', () => {
  const complete = () => {
    const [codes, returnTokens] = ['authorization-code', 'return-token'].map((purpose) => new LocatingTokens(fixture.keys.token, purpose));
    return new CompleteSession(unitOfWork, sessions, codes!, returnTokens!, fixture.sealer, FINISH_NUMBERS, 'https://id.example/openid').execute(
      sessionId,
      fixture.clientId,
    );
  };
  beforeEach(async () => {
    await begin();
    await sessions.handle(sessionId, { type: 'ConfirmSession', deviceId: DEVICE, signature: 'x', codeTtl: 60_000, buildTtl: 60_000 });
    countReads();
  });

  it('is completed without a read, once', async () => {
    expect(await complete()).toContain('code=');
    expect(reads).toBe(0);
    await expect(complete()).rejects.toMatchObject({ code: 'session_already_completed' });
    expect(reads).toBe(1);
  });

  it('is not completed once another process has completed it', async () => {
    await fixture.sessions.handle(sessionId, { type: 'CompleteSession' });
    await expect(complete()).rejects.toMatchObject({ code: 'session_already_completed' });
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'SessionCompleted')).toHaveLength(1);
  });
});
