import { hash, sign } from 'node:crypto';

import { CollectEvidence } from '#signatures/asic';
import { FILE, FILE_NAME, type Signed, type Signer, SigningKit } from '#testkit/asic/signing-kit';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import type { ReadSigningCertificate } from '#domain/identity';
import { type IdentityId, type SessionId, sha256Base64url } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { TimestampAuthority, type VerifiedTimeStamp } from '#signatures/pki';
import { newKey } from '#testkit/pki/signing-requests';

import type { SessionScanned } from '../domain/session.events.js';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { BuildSignature, type BuildSignatureDependencies } from '../use-cases/build-signature.js';

const VICTIM = '00000000-0000-4000-8000-00000000aaaa' as IdentityId;
const NO_CERTIFICATE = 'another certificate than at the scan';

/** Events of an intruder who has the keys of the MACs and of the encryption, but no phone of the person. */
interface Forgery {
  readonly scan?: Partial<SessionScanned['data']>;
  /** The signature value, if one is stored. Default: the one that the person's phone has made of this document. */
  readonly signature?: (signed: Signed, other: Signed) => Buffer | undefined;
}

/** Counts the time-stamps that are bought. */
class CountingAuthority extends TimestampAuthority {
  bought = 0;
  constructor(private readonly authority: TimestampAuthority) {
    super();
  }
  override stamp(data: Buffer): Promise<VerifiedTimeStamp> {
    this.bought += 1;
    return this.authority.stamp(data);
  }
}

describe.each(STORE_ENGINES)('a signature that was written into the event store, on $engine,', ({ open }) => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let kit: SigningKit;
  let phone: Signer;
  let authority: CountingAuthority;
  let alarms: (readonly [SessionId, string])[];

  beforeAll(async () => {
    fixture = useCaseFixture(await open(new FixedClock()));
    await fixture.history.enrol();
    kit = await SigningKit.open(fixture.clock.now());
    phone = await kit.signer();
  });
  beforeEach(() => {
    authority = new CountingAuthority(kit.timestampAuthority);
    alarms = [];
  });
  afterAll(() => fixture.eventStore.close());

  const forged = async ({ scan, signature = (signed) => signed.signature }: Forgery): Promise<SessionId> => {
    const { clientId, history, identityId, results, clock } = fixture;
    const texts = { signedDataHash: hash('sha512', FILE, 'hex'), signedDataName: FILE_NAME };
    const sessionId = await history.begin(clientId, { signatureType: 'SIGNING' }, texts);
    const signed = kit.sign(phone);
    const other = kit.sign(phone, FILE_NAME, Buffer.from('another document'));
    const { prepared, signingTime } = signed;
    await results.prepare(sessionId, {
      toBeSigned: prepared.toBeSigned.toString('base64'),
      manifest: prepared.manifest.toString('base64'),
      signingTime,
    });
    const value = signature(signed, other);
    if (value) await results.sign(sessionId, value.toString('base64'));
    const at = clock.now();
    const sealed = history.seal(sessionId, { relyingPartyName: 'Shop', signatureAlgorithm: 'ES256' });
    const certificateHash = sha256Base64url(phone.certificate);
    await history.append(
      sessionId,
      { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, certificateHash, sealed, at, ...scan } },
      { type: 'SessionConfirmed', data: { buildExpiresAt: at + 60_000, at } },
    );
    return sessionId;
  };
  const build = (sessionId: SessionId): Promise<void> => {
    const readSigningCertificate = { execute: async () => phone } as unknown as ReadSigningCertificate;
    const { sessions, results, sealer, unitOfWork, findRevocation } = fixture;
    const dependencies = {
      unitOfWork,
      findRevocation,
      sessions,
      results,
      sealer,
      readSigningCertificate,
      readPersonalData: { execute: async () => ({ givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' }) },
      checkApproval: fixture.checkApproval((...alarm) => alarms.push(alarm), readSigningCertificate),
      collectEvidence: new CollectEvidence(authority, kit.revocationSource),
      trust: kit.trust,
      clock: kit.clock,
      lifetimes: { result: 60_000 },
      refusals: { refused: () => undefined },
    };
    return new BuildSignature(dependencies as unknown as BuildSignatureDependencies).execute(sessionId);
  };

  it("goes into a container when the person's device has signed exactly this document", async () => {
    const sessionId = await forged({});
    await build(sessionId);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'COMPLETED' });
    expect(await fixture.results.read(sessionId)).toMatchObject({ container: expect.any(String), signedDataName: FILE_NAME });
    expect([authority.bought, alarms]).toEqual([1, []]);
  });

  it.each<readonly [string, Forgery, string]>([
    ['without a signature', { signature: () => undefined }, "the device's signature does not verify"],
    ["without the device's signature", { signature: () => Buffer.from('x') }, "the device's signature does not verify"],
    ['with the signature of another document', { signature: (_, other) => other.signature }, "the device's signature does not verify"],
    [
      'with the signature of another key',
      { signature: ({ prepared }) => sign('sha256', prepared.toBeSigned, newKey['P-256']().privateKey) },
      "the device's signature does not verify",
    ],
    ["with a victim's identity and the attacker's own phone", { scan: { identityId: VICTIM } }, "the device is another person's"],
    ['with another certificate than the one of the scan', { scan: { certificateHash: 'x' } }, `the device's signature ${NO_CERTIFICATE}`],
  ])('goes into no container %s: no time-stamp is bought, and an alarm is raised', async (_, forgery, reason) => {
    const sessionId = await forged(forgery);
    await build(sessionId);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'SIGNING_FAILED' });
    expect(await fixture.results.find(sessionId)).toEqual({});
    expect([authority.bought, alarms]).toEqual([0, [[sessionId, reason]]]);
  });
});
