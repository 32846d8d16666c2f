import type { Randomness } from '#kernel';

import type { Certificate } from '../certificates/certificate.js';
import { certificateId, encodeOcspRequest } from '../ocsp/ocsp-request.js';
import { encodeTimeStampRequest, imprintOf, newNonce } from '../time-stamp/time-stamp-request.js';

/** A TimeStampReq over the data, as our clients send it. */
export const timeStampRequest = (data: Buffer, randomness: Randomness): Buffer =>
  encodeTimeStampRequest({ hash: 'sha512', imprint: imprintOf('sha512', data), nonce: newNonce(randomness), certificateRequested: true });

/** An OCSPRequest about the certificate, as our clients send it. */
export const ocspRequest = ({ serial }: Certificate, issuer: Certificate, randomness: Randomness): Buffer =>
  encodeOcspRequest(certificateId(serial, issuer), randomness.bytes(32));
