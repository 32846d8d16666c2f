import { hash } from 'node:crypto';

import { Certificate } from '../certificates/certificate.js';
import { signatureAlgorithm, signWith } from '../cms/algorithms.js';
import { bitString, contents, type DerNode, encode, enumerated, generalizedTime, octetString, oid, raw, sequence, TAG, tagged } from '../der/der.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { isIssuedBy, nonceExtension, type OcspRequest, readCertificateId, readOcspRequest } from '../ocsp/ocsp-request.js';
import type { DevelopmentPki } from './development-pki.js';

/** The register's entry for a certificate of the issuing CA. */
export type CertificateState = { readonly status: 'good' | 'unknown' } | { readonly status: 'revoked'; readonly at: number };

export interface OcspAnswerer {
  readonly pki: Pick<DevelopmentPki, 'issuing' | 'responder'>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the register was known to be right (thisUpdate), epoch milliseconds; `now` unless given. */
  readonly knownAt?: number;
  /** `serial`: lower-case hex, as the certificate authority gave it. */
  lookUp(serial: string): Promise<CertificateState>;
}

// OCSPResponseStatus, RFC 6960 §4.2.1
const SUCCESSFUL = 0;
const MALFORMED_REQUEST = 1;
const MAX_CERTIFICATES = 10;
const HASH = 'sha256';

/**
 * The OCSPResponse to an OCSPRequest (RFC 6960), both DER. Answers the state at this second, for certificates of
 * the issuing CA; all others are unknown. A request that cannot be read gets `malformedRequest`.
 */
export const answerOcsp = async (request: Uint8Array, by: OcspAnswerer): Promise<Buffer> => {
  try {
    const wanted = readOcspRequest(request);
    if (wanted.certificates.length === 0 || wanted.certificates.length > MAX_CERTIFICATES) throw new MalformedDer('number of certificates');
    return encode(sequence(enumerated(SUCCESSFUL), tagged(0, sequence(oid(OID.ocspBasic), octetString(await basicResponse(wanted, by))))));
  } catch (error) {
    if (error instanceof MalformedDer) return encode(sequence(enumerated(MALFORMED_REQUEST)));
    throw error;
  }
};

const basicResponse = async (wanted: OcspRequest, by: OcspAnswerer): Promise<Buffer> => {
  const responder = Certificate.parse(by.pki.responder.certificate);
  const issuer = Certificate.parse(by.pki.issuing.certificate);
  const singles: DerNode[] = [];
  for (const reader of wanted.certificates) {
    const id = readCertificateId(reader);
    const state = isIssuedBy(id, issuer) ? await by.lookUp(id.serial.toString('hex')) : ({ status: 'unknown' } as const);
    singles.push(sequence(raw(reader.bytes), encodeState(state), generalizedTime(by.knownAt ?? by.now)));
  }
  const tbs = sequence(
    tagged(2, octetString(hash('sha1', responder.keyOctets, 'buffer'))),
    generalizedTime(by.now),
    sequence(...singles),
    ...(wanted.nonce ? [tagged(1, sequence(nonceExtension(wanted.nonce)))] : []),
  );
  const signature = signWith(by.pki.responder.privateKey, HASH, encode(tbs));
  return encode(sequence(tbs, signatureAlgorithm(responder.publicKey, HASH), bitString(signature), tagged(0, sequence(raw(responder.der)))));
};

const encodeState = (state: CertificateState): DerNode => {
  if (state.status === 'revoked') return tagged(1, generalizedTime(state.at));
  return contents(TAG.primitive(state.status === 'good' ? 0 : 2), Buffer.alloc(0));
};
