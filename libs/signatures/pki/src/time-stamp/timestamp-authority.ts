import type { VerifiedTimeStamp } from './time-stamp-token.js';

/** Port: proves that data existed at a time, by a token of RFC 3161. */
export abstract class TimestampAuthority {
  /**
   * A token over the data (for a signature: the octets of its value), verified in every respect: imprint, unit,
   * chain to a configured root, time. May be called again for the same data: that gives another token.
   *
   * Throws ServiceUnavailable when no authority gave an acceptable token in time.
   */
  abstract stamp(data: Buffer): Promise<VerifiedTimeStamp>;
}
