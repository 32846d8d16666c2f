import type { Certificate } from '../certificates/certificate.js';
import { sameName } from '../certificates/same-name.js';
import { isStrongAlgorithm, verifies } from '../cms/algorithms.js';
import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { readBer } from '../der/read-ber.js';
import type { RevocationStatus } from '../ocsp/ocsp-response.js';
import { OID } from '../der/oids.js';
import { namesOfPoint, type PointName, pointsOf, samePoint } from './distribution-point.js';

/** A verified list of revoked certificates (RFC 5280 §5). */
export interface VerifiedCrl {
  /** DER. */
  readonly crl: Buffer;
  /** Epoch milliseconds. */
  readonly thisUpdate: number;
  readonly nextUpdate: number;
  /** The times of the revocations in epoch milliseconds, by the content octets of the serial number, hex. */
  readonly revoked: ReadonlyMap<string, number>;
  readonly scope: CrlScope;
}

/** The certificates that a list speaks about (RFC 5280 §5.2.5, IssuingDistributionPoint). */
interface CrlScope {
  readonly only: 'users' | 'authorities' | undefined;
  /** Only certificates that name one of these points; undefined: no limit. */
  readonly points: readonly PointName[] | undefined;
}

/** The list is not valid. The message names the rule that it breaks. */
export class BadCrl extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadCrl';
  }
}

export const MAX_CRL_BYTES = 2 * 1024 * 1024;
const UNDERSTOOD: ReadonlySet<string> = new Set([OID.authorityKeyIdentifier, OID.crlNumber]);

// an issuer's list stays the same for hours and is in every container
const lastVerified = new WeakMap<Certificate, VerifiedCrl>();

/** The list as it was verified by that issuer's key, if it is the last one that was. */
const known = (der: Uint8Array, issuer: Certificate): VerifiedCrl | undefined => {
  const last = lastVerified.get(issuer);
  return last?.crl.equals(der) ? last : undefined;
};

/** Checks a complete CRL of that issuer. Throws {@link BadCrl}. */
export const verifyCrl = (der: Uint8Array, issuer: Certificate): VerifiedCrl => {
  try {
    const verifiedBefore = known(der, issuer);
    if (verifiedBefore) return verifiedBefore;
    const verified = verify(der, issuer);
    lastVerified.set(issuer, verified);
    return verified;
  } catch (error) {
    if (error instanceof MalformedDer) throw new BadCrl(`the CRL is malformed: ${error.message}`, { cause: error });
    throw error;
  }
};

/**
 * The issuer's name in a CRL, to find the certificate it was signed with. `likely`: certificates of which one may have signed it; a list that was verified
 * by one of them names it, and is not read again. Throws {@link MalformedDer}.
 */
export const crlIssuer = (der: Uint8Array, likely: readonly Certificate[] = []): Buffer =>
  likely.find((issuer) => known(der, issuer))?.subject ?? readTbs(readBer(der, MAX_CRL_BYTES).fields().take()).issuer;

const verify = (der: Uint8Array, issuer: Certificate): VerifiedCrl => {
  const reader = readBer(der, MAX_CRL_BYTES);
  const fields = reader.fields();
  const tbs = fields.take();
  const algorithm = fields.take();
  const signature = fields.take().bits();
  fields.end();
  const list = readTbs(tbs);
  if (!sameName(list.issuer, issuer.subject)) throw new BadCrl('the CRL is of another issuer');
  if (!issuer.isCa || (issuer.keyUsage && !issuer.keyUsage.has('cRLSign'))) throw new BadCrl('the issuer may not sign CRLs');
  if (!isStrongAlgorithm(algorithm, list.thisUpdate)) throw new BadCrl('the CRL is signed by an outdated algorithm');
  if (!verifies(algorithm, { data: tbs.bytes, key: issuer.publicKey, signature })) throw new BadCrl("the CRL's signature is wrong");
  return { crl: reader.bytes, thisUpdate: list.thisUpdate, nextUpdate: list.nextUpdate, revoked: list.revoked, scope: list.scope };
};

const readTbs = (tbs: DerReader) => {
  const data = tbs.fields();
  if (data.take().small() !== 1) throw new MalformedDer('CRL version 2 expected');
  data.take();
  const issuer = data.take().bytes;
  const thisUpdate = data.take().time();
  const nextUpdate = data.take().time();
  const entries = data.maybe(TAG.sequence)?.members() ?? [];
  const extensions = data.maybe(TAG.constructed(0))?.only(TAG.constructed(0)).members(TAG.sequence) ?? [];
  data.end();
  let scope: CrlScope = { only: undefined, points: undefined };
  for (const extension of extensions) {
    const extensionFields = extension.fields();
    const type = extensionFields.take().oid();
    const critical = extensionFields.maybe(TAG.boolean)?.boolean() ?? false;
    if (type === OID.issuingDistributionPoint) scope = readScope(extensionFields.take().octets(), issuer);
    // a delta CRL lists only the changes since another list
    else if (critical && !UNDERSTOOD.has(type)) throw new MalformedDer('critical extension of the CRL');
  }
  const revoked = new Map<string, number>();
  // of two entries about one certificate the earlier revocation counts
  for (const [serial, at] of entries.map(readEntry)) revoked.set(serial, Math.min(at, revoked.get(serial) ?? Infinity));
  return { issuer, thisUpdate, nextUpdate, revoked, scope };
};

const readEntry = (entry: DerReader): readonly [string, number] => {
  const fields = entry.fields();
  return [fields.take().integer().toString('hex'), fields.take().time()];
};

/** Throws {@link MalformedDer} for lists of some reasons only, of other issuers, or of attribute certificates: those prove nothing here. */
const readScope = (der: Buffer, issuer: Buffer): CrlScope => {
  const fields = DerReader.parse(der, MAX_CRL_BYTES).fields();
  const point = fields.maybe(TAG.constructed(0));
  const flag = (number: number): boolean => fields.maybe(TAG.primitive(number))?.content()[0] === 0xff;
  const users = flag(1);
  const authorities = flag(2);
  const someReasons = fields.maybe(TAG.primitive(3)) !== undefined;
  const indirect = flag(4);
  const attributes = flag(5);
  fields.end();
  if (someReasons || indirect || attributes || (users && authorities))
    throw new MalformedDer('a CRL for some reasons, other issuers or no certificates');
  return { only: users ? 'users' : authorities ? 'authorities' : undefined, points: point && namesOfPoint(point, issuer) };
};

/** `unknown` when the list does not speak about that certificate. */
export const statusIn = ({ revoked, scope: { only, points } }: VerifiedCrl, certificate: Certificate): RevocationStatus => {
  if (only && only !== (certificate.isCa ? 'authorities' : 'users')) return 'unknown';
  if (points && !pointsOf(certificate).some((one) => points.some((other) => samePoint(one, other)))) return 'unknown';
  return revoked.has(serialOf(certificate)) ? 'revoked' : 'good';
};

/** The time of the revocation by that list, epoch milliseconds; undefined for a certificate that it does not call revoked. */
export const revokedAtIn = (list: VerifiedCrl, certificate: Certificate): number | undefined =>
  statusIn(list, certificate) === 'revoked' ? list.revoked.get(serialOf(certificate)) : undefined;

const serialOf = ({ serial }: Certificate): string => serial.toString('hex');
