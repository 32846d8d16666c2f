import { BadTimeStamp, OID, soleValue, type TrustStore, type VerifiedTimeStamp, verifyTimeStampToken } from '#signatures/pki';

import { type ReadSignature } from './check-signature.js';
import type { Findings } from './report.js';

const MINUTE = 60_000;
/** Clocks may differ by this. */
const CLOCK_DIFFERENCE = MINUTE;
/** The signing time is fixed at the scan: the longest session (300 s), 60 s to build the container, 60 s for the clocks. */
const LONGEST_DELAY = 7 * MINUTE;

/** Whether a time-stamp may belong to a signature of that claimed time. Epoch milliseconds. */
export const fitsSigningTime = (genTime: number, signingTime: number): boolean =>
  signingTime - CLOCK_DIFFERENCE <= genTime && genTime <= signingTime + LONGEST_DELAY;

/** The signature time-stamp, verified over the signature's value; undefined when there is none, or with a finding. */
export const checkTimeStamp = ({ signedData, signingTime }: ReadSignature, trust: TrustStore, findings: Findings): VerifiedTimeStamp | undefined => {
  const { unsigned, signature } = signedData.signer;
  const token = soleValue(unsigned, OID.signatureTimeStamp);
  findings.require(
    [...unsigned.keys()].every((type) => type === OID.signatureTimeStamp),
    'signature-format',
    'an unsigned attribute that is not known here',
  );
  if (!token) return undefined;
  try {
    const verified = verifyTimeStampToken(token.bytes, signature, { trust, pool: signedData.certificates });
    findings.require(
      signingTime === undefined || fitsSigningTime(verified.genTime, signingTime),
      'time-order',
      'the claimed signing time and the time-stamp are too far apart',
    );
    return verified;
  } catch (error) {
    if (!(error instanceof BadTimeStamp)) throw error;
    findings.add('time-stamp', error.message);
    return undefined;
  }
};
