import type { Randomness } from '#kernel';

import type { Certificate } from '#signatures/pki';
import { certificateId, encodeOcspRequest } from '#signatures/pki';
import { encodeTimeStampRequest, imprintOf, newNonce } from '#signatures/pki';

/** A TimeStampReq over the data, as our clients send it. */
export const timeStampRequest = (data: Buffer, randomness: Randomness): Buffer =>
  encodeTimeStampRequest({ hash: 'sha512', imprint: imprintOf('sha512', data), nonce: newNonce(randomness), certificateRequested: true });

/** An OCSPRequest about the certificate, as our clients send it. */
export const ocspRequest = ({ serial }: Certificate, issuer: Certificate, randomness: Randomness): Buffer =>
  encodeOcspRequest(certificateId(serial, issuer), randomness.bytes(32));
