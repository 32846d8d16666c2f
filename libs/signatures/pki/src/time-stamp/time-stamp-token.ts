import type { Certificate } from '../certificates/certificate.js';
import { type TrustStore, Untrusted } from '../certificates/trust-store.js';
import { algorithmStrongUntil, isStrongAlgorithm } from '../cms/algorithms.js';
import { isSignatureOver, readContentInfo, type SignedData, signerCertificate } from '../cms/signed-data.js';
import { signingCertificateReference } from '../cms/signing-certificate.js';
import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { readBer } from '../der/read-ber.js';
import { OID } from '../der/oids.js';
import { imprintOf, MAX_TIME_STAMP_BYTES, readImprint } from './time-stamp-request.js';
import type { HashName } from '../cms/signature-scheme.js';

/** The contents of a time-stamp token (RFC 3161 §2.4.2), read and not verified. */
export interface TimeStampToken {
  /** In DER, whatever it came in. */
  readonly der: Buffer;
  readonly hash: HashName;
  readonly imprint: Buffer;
  readonly policy: string;
  /** Epoch milliseconds. */
  readonly genTime: number;
  readonly nonce: Buffer | undefined;
  readonly signedData: SignedData;
}

/** A verified token, with the chain of the unit that made it. */
export interface VerifiedTimeStamp {
  /** In DER, as containers hold it; the parts that the unit signed are as they came. */
  readonly token: Buffer;
  /** Epoch milliseconds. */
  readonly genTime: number;
  readonly policy: string;
  /** The unit's certificate first, the trusted root last. */
  readonly chain: readonly [Certificate, ...Certificate[]];
}

/** The token is not valid. The message names the rule that it breaks. */
export class BadTimeStamp extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadTimeStamp';
  }
}

/** Throws {@link MalformedDer}. */
export const readTimeStampToken = (der: Uint8Array, maxBytes = MAX_TIME_STAMP_BYTES): TimeStampToken => {
  const reader = readBer(der, maxBytes);
  const signedData = readContentInfo(reader);
  if (signedData.contentType !== OID.tstInfo || !signedData.content) throw new MalformedDer('TSTInfo expected');
  const fields = DerReader.parse(signedData.content, MAX_TIME_STAMP_BYTES).fields();
  if (fields.take().small() !== 1) throw new MalformedDer('version of TSTInfo');
  const policy = fields.take().oid();
  const { hash, imprint } = readImprint(fields.take());
  fields.take(TAG.integer);
  const genTime = fields.take(TAG.generalizedTime).time();
  fields.maybe(TAG.sequence);
  fields.maybe(TAG.boolean);
  const nonce = fields.maybe(TAG.integer)?.integer();
  fields.maybe(TAG.constructed(0));
  refuseCriticalExtensions(fields.maybe(TAG.constructed(1)));
  fields.end();
  return { der: reader.bytes, hash, imprint, policy, genTime, nonce, signedData };
};

/** Qualified time-stamps carry qcStatements, which is not critical (EN 319 422 §9.1). A critical extension would change what the token says. */
const refuseCriticalExtensions = (extensions: DerReader | undefined): void => {
  for (const extension of extensions?.members(TAG.constructed(1)) ?? []) {
    const fields = extension.fields();
    const type = fields.take().oid();
    const critical = fields.maybe(TAG.boolean)?.boolean() ?? false;
    fields.take().octets();
    fields.end();
    if (critical) throw new MalformedDer(`critical extension ${type} of TSTInfo, which is not supported`);
  }
};

export interface TimeStampTrust {
  readonly trust: TrustStore;
  /** Certificates beside those in the token: many units send their own one only. */
  readonly pool: readonly Certificate[];
  /** The largest token. Default: as large as an authority sends one, without revocation data. */
  readonly maxBytes?: number;
}

/** Checks a token over `data` (RFC 3161 §2.3 and 2.4.2, RFC 5816). Throws {@link BadTimeStamp}. */
export const verifyTimeStampToken = (der: Uint8Array, data: Uint8Array, trust: TimeStampTrust): VerifiedTimeStamp =>
  checkTimeStampToken(parseTimeStampToken(der, trust.maxBytes), data, trust);

/** {@link verifyTimeStampToken} of a token that was read before. */
export const checkTimeStampToken = (token: TimeStampToken, data: Uint8Array, { trust, pool }: TimeStampTrust): VerifiedTimeStamp => {
  const { signedData, genTime } = token;
  const known = [...signedData.certificates, ...pool];
  try {
    const unit = signerCertificate(signedData.signer, known);
    if (!unit) throw new BadTimeStamp("the time-stamping unit's certificate is missing");
    if (!imprintOf(token.hash, data).equals(token.imprint)) throw new BadTimeStamp('the time-stamp is over something else');
    checkUnit(token, unit);
    return { token: token.der, genTime, policy: token.policy, chain: nonEmpty(trust.chain(unit, known, genTime)) };
  } catch (error) {
    if (error instanceof Untrusted) throw new BadTimeStamp('the time-stamping unit is not trusted', { cause: error });
    throw asBadTimeStamp(error);
  }
};

/**
 * When the proof of a verified token ends, unless a later one covers it: with its unit's certificate, with an algorithm, or with a key in the
 * chain. Epoch milliseconds.
 */
export const endOfTimeStamp = ({ token, chain }: Pick<VerifiedTimeStamp, 'token' | 'chain'>, maxBytes?: number): number => {
  const { signatureAlgorithm } = readTimeStampToken(token, maxBytes).signedData.signer;
  return Math.min(chain[0].notAfter, algorithmStrongUntil(signatureAlgorithm), ...chain.map(({ keyStrongUntil }) => keyStrongUntil));
};

const checkUnit = ({ signedData, genTime }: TimeStampToken, unit: Certificate): void => {
  if (!signedData.rightVersions) throw new BadTimeStamp('the token says a version that its contents contradict');
  const usage = unit.extendedKeyUsage ?? [];
  const critical = unit.extensions.get(OID.extKeyUsage)?.critical === true;
  if (usage.length !== 1 || usage[0] !== OID.kpTimeStamping || !critical) {
    throw new BadTimeStamp("the unit's certificate is not for time-stamping alone, marked critical");
  }
  if (unit.keyUsage && !unit.keyUsage.has('digitalSignature') && !unit.keyUsage.has('nonRepudiation')) {
    throw new BadTimeStamp("the unit's key is not for signatures");
  }
  // programs would disagree on which of them counts
  if (signedData.certificates.some((one) => !one.equals(unit) && (one.serial.equals(unit.serial) || one.spki.equals(unit.spki)))) {
    throw new BadTimeStamp('the token holds another certificate of the unit');
  }
  if (signingCertificateReference(signedData.signer.signed, unit, true) !== 'matches') {
    throw new BadTimeStamp("the token does not name the unit's certificate");
  }
  if (!isStrongAlgorithm(signedData.signer.signatureAlgorithm, genTime)) throw new BadTimeStamp('the token is signed by an outdated algorithm');
  if (!signedData.content || !isSignatureOver(signedData.signer, signedData.content, OID.tstInfo, unit)) {
    throw new BadTimeStamp("the token's signature is wrong");
  }
};

/** {@link readTimeStampToken} of what an authority has sent. Throws {@link BadTimeStamp}. */
export const parseTimeStampToken = (der: Uint8Array, maxBytes?: number): TimeStampToken => {
  try {
    return readTimeStampToken(der, maxBytes);
  } catch (error) {
    throw asBadTimeStamp(error);
  }
};

const asBadTimeStamp = (error: unknown): unknown =>
  error instanceof MalformedDer ? new BadTimeStamp(`the token is malformed: ${error.message}`, { cause: error }) : error;

const nonEmpty = (chain: readonly Certificate[]): readonly [Certificate, ...Certificate[]] => chain as readonly [Certificate, ...Certificate[]];
