/** Proves by another party, a time-stamping authority (RFC 3161), that bytes existed at a time. */
export interface Stamper {
  /** A token over the bytes. Throws ServiceUnavailable. */
  readonly stamp: (bytes: Buffer) => Promise<Buffer>;
  /** The time that the token proves of these bytes, epoch milliseconds. Throws {@link StampRefused}. */
  readonly timeOf: (token: Buffer, bytes: Buffer) => number;
}

/** The token proves nothing of these bytes. The message says why. */
export class StampRefused extends Error {}
