import { hash } from 'node:crypto';

import { ArchiveStamper, CollectEvidence, verifyContainer } from '#signatures/asic';
import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import { ServiceUnavailable, type SessionId } from '#kernel';
import { type RevocationEvidence, RevocationSource, TimestampAuthority, type VerifiedTimeStamp } from '#signatures/pki';

import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { BuildSignature, type BuildSignatureDependencies } from './build-signature.js';

/** Counts the time-stamps that are bought. */
class Counting extends TimestampAuthority {
  bought = 0;
  constructor(private readonly authority: TimestampAuthority) {
    super();
  }
  override stamp(data: Buffer): Promise<VerifiedTimeStamp> {
    this.bought += 1;
    return this.authority.stamp(data);
  }
}

/** Fails as often as `failures` says, where the archive time-stamp gets its proof. */
class Failing extends RevocationSource {
  failures = 0;
  constructor(private readonly source: RevocationSource) {
    super();
  }
  override ask(...what: Parameters<RevocationSource['ask']>): Promise<RevocationEvidence> {
    return this.source.ask(...what);
  }
  override current(...what: Parameters<RevocationSource['current']>): Promise<RevocationEvidence> {
    this.failures -= 1;
    return this.failures < 0 ? this.source.current(...what) : Promise.reject(new ServiceUnavailable('no list'));
  }
}

describe('a container of level LTA', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let kit: SigningKit;
  let sessionId: SessionId;
  let authority: Counting;
  let lists: Failing;
  let refusing: number;
  let build: BuildSignature;
  const finished: string[] = [];

  beforeEach(async () => {
    fixture = useCaseFixture();
    kit = await SigningKit.open(fixture.clock.now());
    sessionId = fixture.randomness.uuid<SessionId>();
    authority = new Counting(kit.timestampAuthority);
    lists = new Failing(kit.revocationSource);
    refusing = 0;
    finished.length = 0;
    build = new BuildSignature(await dependencies());
  });
  afterEach(() => fixture.eventStore.close());

  const dependencies = async (): Promise<BuildSignatureDependencies> => {
    const { results } = fixture;
    const { signer, prepared, signature, signingTime } = kit.sign(await kit.signer());
    await results.prepare(sessionId, {
      toBeSigned: prepared.toBeSigned.toString('base64'),
      manifest: prepared.manifest.toString('base64'),
      signingTime,
    });
    await results.sign(sessionId, signature.toString('base64'));
    const store = results.store.bind(results);
    results.store = async (...what) => {
      refusing -= 1;
      if (refusing >= 0) throw new ServiceUnavailable('no store');
      return store(...what);
    };
    const texts = { signedDataHash: hash('sha512', FILE, 'hex'), signedDataName: FILE_NAME };
    const approved = { status: 'SCANNED', terms: { signatureType: 'SIGNING', sealed: '' }, scan: {}, approval: { expiresAt: 1 } };
    const given = {
      unitOfWork: { run: (work: () => Promise<boolean>) => work() },
      findRevocation: { execute: async () => false },
      sessions: {
        find: async () => approved,
        in: async () => ({ decide: ({ type }: { type: string }) => void finished.push(type), state: { status: 'COMPLETED' } }),
      },
      results,
      sealer: { open: () => texts },
      readPersonalData: { execute: async () => ({ givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' }) },
      readSigningCertificate: { execute: async () => signer },
      checkApproval: { refusalOfSignature: async () => undefined },
      collectEvidence: new CollectEvidence(authority, kit.revocationSource),
      archiveStamper: new ArchiveStamper(authority, lists),
      trust: kit.trust,
      clock: kit.clock,
      lifetimes: { result: 1 },
    };
    return given as unknown as BuildSignatureDependencies;
  };
  /** Tries until it works, as the bus does. Answers the number of tries that failed. */
  const untilBuilt = async (): Promise<number> => {
    for (let failed = 0; ; failed += 1) {
      try {
        await build.execute(sessionId);
        return failed;
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceUnavailable);
        kit.clock.advance(1000);
      }
    }
  };
  const report = async () => {
    const { container = '' } = (await fixture.results.read(sessionId)) ?? {};
    return verifyContainer(Buffer.from(container, 'base64'), { trust: kit.trust, now: kit.clock.now(), level: 'LTA' });
  };

  it('buys its archive time-stamp once, however often its proof cannot be had, or the result cannot be stored', async () => {
    lists.failures = 2;
    refusing = 2;
    expect(await untilBuilt()).toBe(4);
    expect(authority.bought).toBe(2);
    expect(await report()).toMatchObject({ subIndication: 'SIGNED_DATA_NOT_FOUND', findings: [], level: 'LTA' });
    expect(finished).toEqual(['FinishSigning']);
  });

  it('holds the archive time-stamp that was stored first, with the signature under it, when another try has not seen it', async () => {
    refusing = 1;
    await expect(build.execute(sessionId)).rejects.toThrow(ServiceUnavailable);
    const { archived } = await fixture.results.find(sessionId);
    const find = fixture.results.find.bind(fixture.results);
    fixture.results.find = async (id) => {
      const { archived: _, ...stale } = await find(id);
      return stale;
    };
    // the other try gets another OCSP response, and so another signature
    kit.clock.advance(1000);
    await build.execute(sessionId);
    expect((await find(sessionId)).archived).toEqual(archived);
    expect(await report()).toMatchObject({ subIndication: 'SIGNED_DATA_NOT_FOUND', findings: [], level: 'LTA' });
  });
});
