import { hash } from 'node:crypto';

import type { Randomness } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { newSerial } from '../certificates/issue-certificate.js';
import { attribute, signedData, signerInfo } from '../cms/build-signed-data.js';
import { digestAlgorithm, signWith } from '../cms/algorithms.js';
import { signingCertificateV2 } from '../cms/signing-certificate.js';
import { contents, type DerNode, encode, generalizedTime, integer, octetString, oid, raw, sequence, setOf, TAG } from '../der/der.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { readTimeStampRequest, type TimeStampRequest } from '../time-stamp/time-stamp-request.js';
import type { TrustServiceUnit } from './development-pki.js';

/** Under the arc for examples (RFC 5612). */
export const DEVELOPMENT_TSA_POLICY = '1.3.6.1.4.1.32473.1.2';

// PKIFailureInfo, RFC 3161 §2.4.2: named bits, counted from the left
const FAILURE = { badRequest: 2, unacceptedPolicy: 15 } as const;
const REJECTED = 2;
const HASH = 'sha256';

/** One second, as the token says whole seconds (RFC 3161 §2.4.2; EN 319 422 §5.2.2 requires it). */
const ACCURACY = sequence(integer(1));

export interface TimeStampAnswerer {
  readonly unit: TrustServiceUnit;
  /** Epoch milliseconds; the token says whole seconds. */
  readonly now: number;
  readonly randomness: Randomness;
  /** Each an Extension (RFC 5280 §4.1); qualified units send qcStatements. Default: none. */
  readonly extensions?: readonly DerNode[];
}

/** The TimeStampResp to a TimeStampReq (RFC 3161 §2.4), both DER. A request that cannot be met gets a rejection, never an exception. */
export const answerTimeStamp = (request: Uint8Array, by: TimeStampAnswerer): Buffer => {
  let wanted: TimeStampRequest;
  try {
    wanted = readTimeStampRequest(request);
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    return rejection(FAILURE.badRequest);
  }
  if (wanted.policy && wanted.policy !== DEVELOPMENT_TSA_POLICY) return rejection(FAILURE.unacceptedPolicy);
  return encode(sequence(sequence(integer(0)), raw(timeStampToken(wanted, by))));
};

/** The token alone. */
export const timeStampToken = (wanted: TimeStampRequest, { unit, now, randomness, extensions = [] }: TimeStampAnswerer): Buffer => {
  const certificate = Certificate.parse(unit.certificate);
  const content = encode(
    sequence(
      integer(1),
      oid(DEVELOPMENT_TSA_POLICY),
      sequence(digestAlgorithm(wanted.hash), octetString(wanted.imprint)),
      integer(newSerial(randomness)),
      generalizedTime(now),
      ACCURACY,
      ...(wanted.nonce ? [contents(TAG.integer, wanted.nonce)] : []),
      ...(extensions.length > 0 ? [contents(TAG.constructed(1), Buffer.concat(extensions.map(encode)))] : []),
    ),
  );
  const signedAttributes = encode(
    setOf(
      attribute(OID.contentType, oid(OID.tstInfo)),
      attribute(OID.messageDigest, octetString(hash(HASH, content, 'buffer'))),
      attribute(OID.signingCertificateV2, signingCertificateV2(certificate)),
    ),
  );
  const signature = signWith(unit.privateKey, HASH, signedAttributes);
  return encode(
    signedData({
      // RFC 5652 §5.1: 3, because the content is not id-data
      version: 3,
      hash: HASH,
      contentType: OID.tstInfo,
      content,
      certificates: wanted.certificateRequested ? [certificate] : [],
      signer: signerInfo({ certificate, hash: HASH, signedAttributes, signature }),
    }),
  );
};

const rejection = (failure: number): Buffer => {
  const bits = Buffer.alloc(1 + (failure >> 3) + 1);
  bits[0] = 7 - (failure & 7);
  bits[1 + (failure >> 3)] = 1 << (7 - (failure & 7));
  const failInfo: DerNode = contents(TAG.bitString, bits);
  return encode(sequence(sequence(integer(REJECTED), failInfo)));
};
