import { openEventStoreDb } from '#engines/event-store';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import type { FindEnrolment, ReadPersonalData } from '#domain/identity';
import { type DeviceId, type IdentityId, LocatingTokens, type Sealer, type SessionId, type SubjectId, SystemClock, SystemRandomness } from '#kernel';
import type { Client } from '#domain/relying-party';

import type { Scan } from '../domain/session.js';
import { InvalidSignature } from '../domain/session.errors.js';
import type { SessionScanned } from '../domain/session.events.js';
import { CODE_VERIFIER } from '#testkit/session/login-request';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { ExchangeToken } from '../use-cases/exchange-token.js';
import type { VerifySignature } from '../use-cases/verify-signature.js';
import { CheckApproval } from './check-approval.js';

const VICTIM = '00000000-0000-4000-8000-00000000aaaa' as IdentityId;
const UNKNOWN = '00000000-0000-4000-8000-00000000bbbb' as DeviceId;

/** Events of an intruder who has the keys of the MACs and of the encryption, but no phone. */
interface Forgery {
  readonly scan?: Partial<SessionScanned['data']>;
  readonly statement?: Record<string, unknown>;
  /** Undefined: the events have none. */
  readonly signature?: string | undefined;
}

const ENGINES = [
  { engine: 'SQLite', start: async () => undefined },
  { engine: 'the gRPC test server', start: () => SpawnedTestServer.start() },
];

describe.each(ENGINES)('a login that was written into the event store, on $engine,', ({ start }) => {
  let server: SpawnedTestServer | undefined;
  let fixture: ReturnType<typeof useCaseFixture>;
  let alarms: (readonly [SessionId, string])[];
  let linked: number;
  beforeAll(async () => {
    server = await start();
    const shared = server && { connectionString: server.connectionString, clock: new SystemClock(), randomness: new SystemRandomness() };
    fixture = useCaseFixture(shared && (await openEventStoreDb(shared)));
    await fixture.history.enrol();
  });
  beforeEach(() => {
    alarms = [];
    linked = 0;
  });
  afterAll(async () => {
    await fixture.eventStore.close();
    await server?.[Symbol.asyncDispose]();
  });

  const forged = async (forgery: Forgery): Promise<SessionId> => {
    const { scan, statement } = forgery;
    const { clock, clientId, history, identityId } = fixture;
    const sessionId = await fixture.begin();
    const at = clock.now();
    const text = JSON.stringify({ sessionId, clientId, ...statement });
    const sealed = history.seal(sessionId, {
      relyingPartyName: 'Shop',
      toBeSigned: Buffer.from(text).toString('base64'),
      signatureAlgorithm: 'ES256',
    });
    await history.append(
      sessionId,
      { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at, ...scan } },
      {
        type: 'SessionConfirmed',
        data: { ...('signature' in forgery ? noUndefined(forgery) : { signature: history.sign(text) }), codeExpiresAt: at + 60_000, at },
      },
      { type: 'SessionCompleted', data: { at } },
    );
    return sessionId;
  };
  const redeem = async (sessionId: SessionId) => {
    const { keys, sessions, unchanged, unitOfWork, findRevocation, clientId, clock } = fixture;
    const codes = new LocatingTokens(keys.token, 'authorization-code');
    const session = await sessions.get(sessionId);
    const code = codes.make(sessionId, 'grant' in session ? session.grant.eventId : '');
    const linkSubject = { in: async () => `subject ${++linked}` as SubjectId };
    const readPersonalData = {} as ReadPersonalData;
    const checkApproval = fixture.checkApproval((...alarm) => alarms.push(alarm));
    const exchange = new ExchangeToken({
      ...unchanged,
      unitOfWork,
      sessions,
      codes,
      readPersonalData,
      linkSubject,
      findRevocation,
      checkApproval,
      clock,
    });
    return exchange.execute({ code, codeVerifier: CODE_VERIFIER }, { clientId } as Client);
  };

  it('is redeemed when the device has signed exactly this login', async () => {
    expect(await redeem(await forged({}))).toEqual({ subjectId: 'subject 1' });
    expect(alarms).toEqual([]);
  });

  it.each<readonly [string, Forgery, string]>([
    ['without any signature', { signature: undefined }, "the device's signature does not verify"],
    ["without the device's signature", { signature: 'x' }, "the device's signature not base64"],
    ['with the signature of another statement', { statement: { challenge: 'c' }, signature: 'AAAA' }, "the device's signature does not verify"],
    ['with what cannot be unsealed', { scan: { sealed: 'x' } }, 'the statement is not about this session'],
    ["with a victim's identity and the attacker's own phone", { scan: { identityId: VICTIM } }, "the device is another person's"],
    ['with the signature of another session', { statement: { sessionId: 'another' } }, 'the statement is not about this session'],
    ['with the signature for another client', { statement: { clientId: 'another' } }, 'the statement is not about this session'],
    [
      'with attributes that the phone did not ask for',
      { statement: { requested: { attributes: ['name'] } } },
      'the statement is not about this session',
    ],
  ])('is refused %s, with an alarm', async (_, forgery, reason) => {
    const sessionId = await forged(forgery);
    await expect(redeem(sessionId)).rejects.toMatchObject({ code: 'invalid_grant', reason });
    expect(alarms).toEqual([[sessionId, reason]]);
    expect(linked).toBe(0);
    expect((await fixture.history.events(sessionId)).at(-1)).toBe('SessionCompleted');
  });

  it('is refused for an unknown device, which may have been erased: without an alarm', async () => {
    const sessionId = await forged({ scan: { deviceId: UNKNOWN } });
    await expect(redeem(sessionId)).rejects.toMatchObject({ code: 'invalid_grant', reason: 'the device is unknown, or its person was erased' });
    expect(alarms).toEqual([]);
  });
});

describe("a document's signature that takes effect", () => {
  const SESSION = '00000000-0000-4000-8000-000000000001' as SessionId;
  const scan = { deviceId: DEVICE, identityId: VICTIM } as Scan;
  const checking = (verdict: () => Promise<void>, device: object | undefined = { deviceId: DEVICE, identityId: VICTIM }) => {
    const [asked, alarms]: [unknown[], unknown[]] = [[], []];
    const verify = { checkStored: (stored: unknown) => (asked.push(stored), verdict()) } as unknown as VerifySignature;
    const find = { execute: async () => device } as unknown as FindEnrolment;
    const check = new CheckApproval(find, verify, {} as Sealer, (...alarm) => alarms.push(alarm));
    return { asked, alarms, refusal: check.refusalOfSignature(SESSION, scan, 'to be signed', 'signature') };
  };

  it('is taken when the device of the scan has made it', async () => {
    const { asked, alarms, refusal } = checking(async () => undefined);
    expect(await refusal).toBeUndefined();
    expect(asked).toEqual([{ scan, toBeSigned: 'to be signed', device: { deviceId: DEVICE, identityId: VICTIM }, signature: 'signature' }]);
    expect(alarms).toEqual([]);
  });

  it('is refused with an alarm when the device has not made it, or is that of another person', async () => {
    const wrong = checking(() => Promise.reject(new InvalidSignature('does not verify')));
    expect(await wrong.refusal).toBe("the device's signature does not verify");
    expect(wrong.alarms).toEqual([[SESSION, "the device's signature does not verify"]]);
    const strange = checking(async () => undefined, { deviceId: DEVICE, identityId: 'another' });
    expect(await strange.refusal).toBe("the device is another person's");
    expect(strange.asked).toEqual([]);
  });

  it('is not judged while the device cannot be read', async () => {
    const { alarms, refusal } = checking(() => Promise.reject(new Error('no answer from the store')));
    await expect(refusal).rejects.toThrow('no answer from the store');
    expect(alarms).toEqual([]);
  });
});

/** JSON has no member without a value. */
const noUndefined = ({ signature }: Forgery): { readonly signature?: string } => (signature === undefined ? {} : { signature });
