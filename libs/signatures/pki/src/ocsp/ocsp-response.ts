import { Certificate } from '../certificates/certificate.js';
import { sameName } from '../certificates/same-name.js';
import { isStrongAlgorithm, verifies } from '../cms/algorithms.js';
import { octetString, encode, TAG } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { readBer } from '../der/read-ber.js';
import { isIssuedBy, keyHashOf, MAX_OCSP_BYTES, readCertificateId, readNonce } from './ocsp-request.js';

export type RevocationStatus = 'good' | 'revoked' | 'unknown';

/** A verified OCSP response. */
export interface VerifiedOcspResponse {
  /** The whole OCSPResponse, DER. */
  readonly response: Buffer;
  readonly status: RevocationStatus;
  /** When the certificate was revoked, epoch milliseconds. */
  readonly revokedAt: number | undefined;
  /** Epoch milliseconds. */
  readonly producedAt: number;
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
  readonly responder: Certificate;
}

/** The response is not valid. The message names the rule that it breaks. */
export class BadOcspResponse extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadOcspResponse';
  }
}

export interface OcspChecks {
  readonly certificate: Certificate;
  /** The CA that issued the certificate. */
  readonly issuer: Certificate;
  /** The random bytes sent; the response must repeat them. Absent: not checked. */
  readonly nonce?: Buffer | undefined;
  /** Whether a response without a nonce is taken too: one from stock cannot have it (RFC 9654 §3). Default false. */
  readonly mayLackNonce?: boolean;
}

const BASIC_RESPONSE_STATUS = 0;

interface BasicResponse {
  readonly tbs: Buffer;
  readonly algorithm: DerReader;
  readonly signature: Buffer;
  readonly certificates: readonly DerReader[];
  readonly responderId: DerReader;
  readonly producedAt: number;
  readonly singles: readonly DerReader[];
  readonly nonce: Buffer | undefined;
}

/**
 * Checks an OCSPResponse about one certificate (RFC 6960 §3.2): that it answers for it, that the CA's own
 * responder (or the CA itself) signed it, and that its times are consistent. How fresh it must be is the caller's rule.
 * Throws {@link BadOcspResponse}.
 */
export const verifyOcspResponse = (der: Uint8Array, checks: OcspChecks): VerifiedOcspResponse => {
  const verified = ocspResponseAbout(der, checks);
  if (!verified) throw new BadOcspResponse('the response is about another certificate');
  return verified;
};

/** The same, for one of several responses: undefined where it is about another certificate. Then its signature is not looked at. */
export const ocspResponseAbout = (der: Uint8Array, checks: OcspChecks): VerifiedOcspResponse | undefined => {
  try {
    return verify(der, checks);
  } catch (error) {
    if (error instanceof MalformedDer) throw new BadOcspResponse(`the response is malformed: ${error.message}`, { cause: error });
    throw error;
  }
};

const verify = (der: Uint8Array, { certificate, issuer, nonce, mayLackNonce = false }: OcspChecks): VerifiedOcspResponse | undefined => {
  const reader = readBer(der, MAX_OCSP_BYTES);
  const basic = readBasicResponse(reader);
  const [first, ...others] = basic.singles.map(readSingle).filter(({ id }) => isIssuedBy(id, issuer) && id.serial.equals(certificate.serial));
  if (!first) return undefined;
  const responder = signerOf(basic, issuer);
  checkNonce(basic.nonce, nonce, mayLackNonce);
  const { status, revokedAt, thisUpdate, nextUpdate } = decisive([first, ...others]);
  if (thisUpdate > basic.producedAt || (nextUpdate !== undefined && nextUpdate < basic.producedAt)) {
    throw new BadOcspResponse("the response's times contradict each other");
  }
  return { response: reader.bytes, status, revokedAt, producedAt: basic.producedAt, thisUpdate, nextUpdate, responder };
};

const checkNonce = (found: Buffer | undefined, sent: Buffer | undefined, mayLack: boolean): void => {
  if (!sent || (mayLack && !found)) return;
  if (!found?.equals(encode(octetString(sent)))) throw new BadOcspResponse('another nonce than sent');
};

/** Of several statements about one certificate, revoked counts before all others, and the newest of equal ones. Others contradict each other. */
const decisive = (statements: readonly [SingleResponse, ...SingleResponse[]]): SingleResponse => {
  const revoked = statements.filter(({ status }) => status === 'revoked').toSorted((a, b) => (a.revokedAt ?? 0) - (b.revokedAt ?? 0))[0];
  const newest = revoked ?? statements.toSorted((a, b) => b.thisUpdate - a.thisUpdate)[0] ?? statements[0];
  if (!revoked && statements.some(({ status }) => status !== newest.status))
    throw new BadOcspResponse('the response says two things about the certificate');
  return newest;
};

const readBasicResponse = (reader: DerReader): BasicResponse => {
  const outer = reader.fields();
  const status = outer.take().small(TAG.enumerated);
  if (status !== BASIC_RESPONSE_STATUS) throw new BadOcspResponse(`the responder answered with status ${status}`);
  const responseBytes = outer.take().only(TAG.constructed(0)).fields();
  outer.end();
  if (responseBytes.take().oid() !== OID.ocspBasic) throw new MalformedDer('BasicOCSPResponse expected');
  const fields = readBer(responseBytes.take().octets(), MAX_OCSP_BYTES).fields();
  const tbs = fields.take();
  const algorithm = fields.take();
  const signature = fields.take().bits();
  const certificates = fields.maybe(TAG.constructed(0))?.only(TAG.constructed(0)).members(TAG.sequence) ?? [];
  fields.end();

  const data = tbs.fields();
  data.maybe(TAG.constructed(0));
  const responderId = data.take();
  const producedAt = data.take(TAG.generalizedTime).time();
  const singles = data.take().members(TAG.sequence);
  const extensions = data.maybe(TAG.constructed(1))?.only(TAG.constructed(1)).members(TAG.sequence) ?? [];
  data.end();
  return {
    tbs: tbs.bytes,
    algorithm,
    signature,
    certificates,
    responderId,
    producedAt,
    singles,
    nonce: readNonce(extensions),
  };
};

/**
 * The certificate of the key that signed the response. Several may fit the ResponderID, after a change of the responder's key for example: the first one
 * counts by which all rules hold.
 */
const signerOf = (basic: BasicResponse, issuer: Certificate): Certificate => {
  let failure: BadOcspResponse | undefined;
  for (const candidate of respondersNamed(basic, issuer)) {
    try {
      checkSigned(basic, candidate, issuer);
      return candidate;
    } catch (error) {
      if (!(error instanceof BadOcspResponse)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new BadOcspResponse("the responder's certificate is missing");
};

const checkSigned = ({ tbs, algorithm, signature, producedAt }: BasicResponse, responder: Certificate, issuer: Certificate): void => {
  checkResponder(responder, issuer, producedAt);
  if (!isStrongAlgorithm(algorithm, producedAt)) throw new BadOcspResponse('the response is signed by an outdated algorithm');
  if (!verifies(algorithm, { data: tbs, key: responder.publicKey, signature })) throw new BadOcspResponse("the response's signature is wrong");
};

/** ResponderID: [1] by name, [2] by the SHA-1 of the key. Sought among all certificates of the response, whose size is bounded, and the CA's own. */
function* respondersNamed({ responderId, certificates }: BasicResponse, issuer: Certificate): Generator<Certificate> {
  const byName = responderId.tag === TAG.constructed(1);
  const named = byName ? responderId.only(TAG.constructed(1)).bytes : responderId.only(TAG.constructed(2)).octets();
  for (const one of [...certificates.map(({ view }) => readable(view)), issuer]) {
    if (one && (byName ? sameName(named, one.subject) : named.equals(keyHashOf(one)))) yield one;
  }
}

/** A certificate that cannot be read names no responder. */
const readable = (der: Uint8Array): Certificate | undefined => {
  try {
    return Certificate.parse(der);
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
};

/** A CA may have several certificates for one key and name. */
const isOwnKeyOf = (responder: Certificate, issuer: Certificate): boolean =>
  responder.equals(issuer) || (responder.spki.equals(issuer.spki) && sameName(responder.subject, issuer.subject));

/** RFC 6960 §4.2.2.2: the CA itself, or a responder that this very CA named. */
const checkResponder = (responder: Certificate, issuer: Certificate, producedAt: number): void => {
  if (!responder.isValidAt(producedAt)) throw new BadOcspResponse("the responder's certificate had expired");
  if (!responder.hasStrongKey(producedAt)) throw new BadOcspResponse("the responder's key is too weak");
  if (isOwnKeyOf(responder, issuer)) return;
  if (!responder.isSignedBy(issuer) || !responder.hasStrongSignature(producedAt))
    throw new BadOcspResponse("the responder is not the issuing CA's own");
  if (!responder.extendedKeyUsage?.includes(OID.kpOcspSigning)) throw new BadOcspResponse('the responder may not sign OCSP responses');
  if (responder.keyUsage && !responder.keyUsage.has('digitalSignature')) throw new BadOcspResponse("the responder's key is not for signatures");
  if (!responder.extensions.has(OID.ocspNoCheck)) throw new BadOcspResponse("the responder's own revocation would have to be checked");
};

interface SingleResponse {
  readonly id: ReturnType<typeof readCertificateId>;
  readonly status: RevocationStatus;
  readonly revokedAt: number | undefined;
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
}

const readSingle = (reader: DerReader): SingleResponse => {
  const fields = reader.fields();
  const id = readCertificateId(fields.take());
  const state = fields.take();
  const status = readStatus(state);
  const revokedAt = status === 'revoked' ? state.fields(TAG.constructed(1)).take(TAG.generalizedTime).time() : undefined;
  const thisUpdate = fields.take(TAG.generalizedTime).time();
  const nextUpdate = fields.maybe(TAG.constructed(0))?.only(TAG.constructed(0)).as(TAG.generalizedTime).time();
  return { id, status, revokedAt, thisUpdate, nextUpdate };
};

const readStatus = ({ tag }: DerReader): RevocationStatus => {
  if (tag === TAG.primitive(0)) return 'good';
  if (tag === TAG.constructed(1)) return 'revoked';
  if (tag === TAG.primitive(2)) return 'unknown';
  throw new MalformedDer('certificate status');
};
