import type { Clock } from '#kernel';

import { MalformedDer } from '../der/malformed-der.js';
import { readBer } from '../der/read-ber.js';
import { type TimeStampRequest, MAX_TIME_STAMP_BYTES } from './time-stamp-request.js';
import { BadTimeStamp, checkTimeStampToken, parseTimeStampToken, type TimeStampTrust, type VerifiedTimeStamp } from './time-stamp-token.js';

/** The largest difference between the clocks of a time-stamping unit and ours. */
const MAX_CLOCK_DIFFERENCE = 60_000;

export interface ResponseChecks extends TimeStampTrust {
  readonly request: TimeStampRequest;
  /** The data that the token must cover. */
  readonly data: Uint8Array;
  readonly clock: Clock;
}

/** The token of a TimeStampResp (RFC 3161 §2.4.2) after every check against its request. Throws {@link BadTimeStamp}. */
export const acceptTimeStampResponse = (der: Uint8Array, { request, data, clock, ...trust }: ResponseChecks): VerifiedTimeStamp => {
  const token = parseTimeStampToken(grantedToken(der), trust.maxBytes);
  const verified = checkTimeStampToken(token, data, trust);
  if (token.hash !== request.hash || !token.imprint.equals(request.imprint)) throw new BadTimeStamp('another imprint than asked for');
  if (request.nonce && !token.nonce?.equals(request.nonce)) throw new BadTimeStamp('another nonce than sent');
  if (request.policy && token.policy !== request.policy) throw new BadTimeStamp('another policy than asked for');
  if (Math.abs(clock.now() - token.genTime) > MAX_CLOCK_DIFFERENCE) throw new BadTimeStamp("the unit's clock and ours disagree");
  return verified;
};

/** The TimeStampToken of a response whose status is granted (0) or grantedWithMods (1). */
const grantedToken = (der: Uint8Array): Buffer => {
  try {
    const fields = readBer(der, MAX_TIME_STAMP_BYTES).fields();
    const status = fields.take().fields().take().small();
    if (status > 1) throw new BadTimeStamp(`the time-stamp was refused with status ${status}`);
    const token = fields.take().bytes;
    fields.end();
    return token;
  } catch (error) {
    if (error instanceof MalformedDer) throw new BadTimeStamp(`the response is malformed: ${error.message}`, { cause: error });
    throw error;
  }
};
