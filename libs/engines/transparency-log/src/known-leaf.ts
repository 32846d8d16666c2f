/** A leaf as it is remembered. */
export interface KnownLeaf {
  readonly index: number;
  readonly revision: number;
  readonly hash: Buffer;
}

/** The newest leaf of one stream. A checkpoint names those of some streams, so that a start can compare their ends before it has read the leaves. */
export interface LogHead extends KnownLeaf {
  /** SHA-256 of the stream's name, base64url. */
  readonly stream: string;
}
