import { Certificate } from '../certificates/certificate.js';
import { isStrongAlgorithm, verifies } from '../cms/algorithms.js';
import { octetString, encode, TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
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
}

const BASIC_RESPONSE_STATUS = 0;

interface BasicResponse {
  readonly tbs: Buffer;
  readonly algorithm: DerReader;
  readonly signature: Buffer;
  readonly certificates: readonly Certificate[];
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
  try {
    return verify(der, checks);
  } catch (error) {
    if (error instanceof MalformedDer) throw new BadOcspResponse(`the response is malformed: ${error.message}`, { cause: error });
    throw error;
  }
};

const verify = (der: Uint8Array, { certificate, issuer, nonce }: OcspChecks): VerifiedOcspResponse => {
  const basic = readBasicResponse(der);
  const responder = findResponder(basic, issuer);
  checkResponder(responder, issuer, basic.producedAt);
  if (!isStrongAlgorithm(basic.algorithm, basic.producedAt)) throw new BadOcspResponse('the response is signed by an outdated algorithm');
  if (!verifies(basic.algorithm, { data: basic.tbs, key: responder.publicKey, signature: basic.signature })) {
    throw new BadOcspResponse("the response's signature is wrong");
  }
  if (nonce && !basic.nonce?.equals(encode(octetString(nonce)))) throw new BadOcspResponse('another nonce than sent');
  const single = basic.singles.map(readSingle).find(({ id }) => isIssuedBy(id, issuer) && id.serial.equals(certificate.serial));
  if (!single) throw new BadOcspResponse('the response is about another certificate');
  const { status, revokedAt, thisUpdate, nextUpdate } = single;
  if (thisUpdate > basic.producedAt || (nextUpdate !== undefined && nextUpdate < basic.producedAt)) {
    throw new BadOcspResponse("the response's times contradict each other");
  }
  return { response: Buffer.from(der), status, revokedAt, producedAt: basic.producedAt, thisUpdate, nextUpdate, responder };
};

const readBasicResponse = (der: Uint8Array): BasicResponse => {
  const outer = DerReader.parse(der, MAX_OCSP_BYTES).fields();
  const status = outer.take().small(TAG.enumerated);
  if (status !== BASIC_RESPONSE_STATUS) throw new BadOcspResponse(`the responder answered with status ${status}`);
  const responseBytes = outer.take().only(TAG.constructed(0)).fields();
  outer.end();
  if (responseBytes.take().oid() !== OID.ocspBasic) throw new MalformedDer('BasicOCSPResponse expected');
  const fields = DerReader.parse(responseBytes.take().octets(), MAX_OCSP_BYTES).fields();
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
    certificates: certificates.slice(0, 4).map(({ view }) => Certificate.parse(view)),
    responderId,
    producedAt,
    singles,
    nonce: readNonce(extensions),
  };
};

/** ResponderID: [1] by name, [2] by the SHA-1 of the key. */
const findResponder = ({ responderId, certificates }: BasicResponse, issuer: Certificate): Certificate => {
  const found = [...certificates, issuer].find((one) =>
    responderId.tag === TAG.constructed(1)
      ? responderId.only(TAG.constructed(1)).bytes.equals(one.subject)
      : responderId.only(TAG.constructed(2)).octets().equals(keyHashOf(one)),
  );
  if (!found) throw new BadOcspResponse("the responder's certificate is missing");
  return found;
};

/** RFC 6960 §4.2.2.2: the CA itself, or a responder that this very CA named. */
const checkResponder = (responder: Certificate, issuer: Certificate, producedAt: number): void => {
  if (!responder.isValidAt(producedAt)) throw new BadOcspResponse("the responder's certificate had expired");
  if (!responder.hasStrongKey(producedAt)) throw new BadOcspResponse("the responder's key is too weak");
  if (responder.equals(issuer)) return;
  if (!responder.isSignedBy(issuer) || !responder.hasStrongSignature(producedAt))
    throw new BadOcspResponse("the responder is not the issuing CA's own");
  if (!responder.extendedKeyUsage?.includes(OID.kpOcspSigning)) throw new BadOcspResponse('the responder may not sign OCSP responses');
  if (responder.keyUsage && !responder.keyUsage.has('digitalSignature')) throw new BadOcspResponse("the responder's key is not for signatures");
  if (!responder.extensions.has(OID.ocspNoCheck)) throw new BadOcspResponse("the responder's own revocation would have to be checked");
};

const readSingle = (reader: DerReader) => {
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
