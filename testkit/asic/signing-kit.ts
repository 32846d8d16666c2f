import { hash, sign } from 'node:crypto';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import {
  Certificate,
  type CertificateState,
  DevelopmentCertificateAuthority,
  type DevelopmentPki,
  DevelopmentRevocationSource,
  DevelopmentTimestampAuthority,
  openDevelopmentPki,
  TrustStore,
} from '#signatures/pki';

import { inTemporaryFolder } from '#testkit/pki/temporary-folder';
import { type KeyPair, newKey, signingRequest } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { firstArchiveOf } from '#signatures/asic';
import { ArchiveStamper } from '#signatures/asic';
import { assembleSignature, type Evidence } from '#signatures/asic';
import { buildContainer } from '#signatures/asic';
import { CollectEvidence } from '#signatures/asic';
import type { Level } from '#signatures/asic';
import type { SignedDocument, SignedRequest } from '#signatures/asic';
import { prepareSignature, type PreparedSignature } from '#signatures/asic';
import { verifyDeviceSignature } from '#signatures/asic';

export type KeyType = keyof typeof newKey;

export interface Signer {
  readonly keys: KeyPair;
  readonly certificate: Buffer;
  readonly chain: readonly Buffer[];
}

export interface Signed {
  readonly signer: Signer;
  readonly prepared: PreparedSignature;
  /** As it goes into the container. */
  readonly signature: Buffer;
  readonly signingTime: number;
}

const FIVE_YEARS = 5 * 365 * 86_400_000;

export const FILE = Buffer.from('The quick brown fox jumps over the lazy dog.\n');
export const FILE_NAME = 'contract & "draft".pdf';

/** A development trust service of its own, phones, and everything up to the finished container. */
export class SigningKit {
  readonly clock: FixedClock;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  readonly trust: TrustStore;
  readonly randomness = new SystemRandomness();
  readonly timestampAuthority: DevelopmentTimestampAuthority;
  readonly revocationSource: DevelopmentRevocationSource;
  /** The register's answer about every certificate. */
  state: CertificateState = { status: 'good' };

  private constructor(
    readonly pki: DevelopmentPki,
    clock: FixedClock,
  ) {
    this.clock = clock;
    this.openedAt = clock.now();
    this.trust = new TrustStore([Certificate.parse(pki.root.certificate)]);
    this.timestampAuthority = new DevelopmentTimestampAuthority(pki, clock, this.randomness);
    this.revocationSource = new DevelopmentRevocationSource(pki, () => Promise.resolve(this.state), clock, this.randomness);
  }

  /** Without `keyDirectory` the keys are in memory only. */
  static async open(at = Date.UTC(2026, 5, 1, 12), keyDirectory?: string): Promise<SigningKit> {
    const clock = new FixedClock(at);
    const openIn = (directory: string) =>
      openDevelopmentPki({
        keyDirectory: directory,
        baseUrl: 'http://localhost:3000',
        guarded: false,
        clock,
        randomness: new SystemRandomness(),
      });
    const pki = keyDirectory === undefined ? await inTemporaryFolder(openIn) : await openIn(keyDirectory);
    return new SigningKit(pki, clock);
  }

  /** The same trust service, years later: with a time-stamping unit whose life begins now. */
  async withNewUnit(): Promise<SigningKit> {
    const now = this.clock.now();
    const unit = await testUnit({ profile: PROFILES.timestamping(), issuer: this.pki.root, now, notAfter: now + FIVE_YEARS });
    return new SigningKit({ ...this.pki, timestamping: unit }, this.clock);
  }

  async signer(type: KeyType = 'P-256', keys: KeyPair = newKey[type]()): Promise<Signer> {
    const authority = new DevelopmentCertificateAuthority(this.pki, this.clock, this.randomness);
    const holder = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
    return { keys, ...(await authority.issue({ csr: signingRequest(keys), holder })) };
  }

  /** Scan and confirmation, a little apart. */
  sign(signer: Signer, name = FILE_NAME, data: Uint8Array = FILE): Signed {
    return this.signDocuments(signer, [{ name, hash: hash('sha512', data, 'buffer') }]);
  }

  signDocuments(signer: Signer, documents: readonly SignedDocument[], request?: SignedRequest): Signed {
    const signingTime = this.clock.now();
    const { certificate } = signer;
    const prepared = prepareSignature({ documents, ...(request && { request }), certificate, signingTime });
    this.clock.advance(5000);
    const signature = verifyDeviceSignature({
      toBeSigned: prepared.toBeSigned,
      certificate,
      signature: signLikePhone(prepared.toBeSigned, signer.keys),
    });
    if (!signature) throw new Error('the phone’s signature was refused');
    return { signer, prepared, signature, signingTime };
  }

  async evidence({ signature, signer, signingTime }: Signed, level: Level = 'LT'): Promise<Evidence> {
    if (level === 'B') return { level };
    const collect = new CollectEvidence(this.timestampAuthority, this.revocationSource);
    const { timeStamp, revocation } = await collect.execute(signer, await collect.stamp({ signature, signingTime }));
    return level === 'T' ? { level, timeStamp } : { level: 'LT', timeStamp, revocation };
  }

  get archive(): ArchiveStamper {
    return new ArchiveStamper(this.timestampAuthority, this.revocationSource);
  }

  async container(signed: Signed, level: Level = 'LT'): Promise<Buffer> {
    const { signer, prepared, signature, signingTime } = signed;
    const evidence = await this.evidence(signed, level);
    const { manifest } = prepared;
    const cms = assembleSignature({ ...signer, ...prepared, signature, evidence });
    const archive = level === 'LTA' ? await this.archive.stamp(firstArchiveOf(manifest, cms)) : undefined;
    return buildContainer({ manifest, signature: cms, level, archive, signingTime, trust: this.trust, now: this.clock.now() });
  }
}

const HASH = { 'P-256': 'sha256', 'P-384': 'sha384', RSA: 'sha512' } as const;

const keyTypeOf = ({ privateKey }: KeyPair): KeyType => {
  if (privateKey.asymmetricKeyType === 'rsa') return 'RSA';
  return privateKey.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256';
};

/** As WebCrypto signs: the hash inside, r ‖ s for EC keys, PKCS#1 v1.5 for RSA. */
export const signLikePhone = (toBeSigned: Buffer, keys: KeyPair): Buffer =>
  sign(HASH[keyTypeOf(keys)], toBeSigned, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' });
