/** Bytes of the length that stands before the bytes of a frame. */
const HEAD = 4;

/** The bytes behind their length, so that the reader knows where they end. */
export const frameOf = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(bytes.length);
  return Buffer.concat([head, bytes]);
};

/** Puts together frames that come in parts, one after the other. */
export class FrameReader {
  #parts: Buffer = Buffer.of();

  /** `longest`: bytes of a frame, without its length. */
  constructor(private readonly longest: number) {}

  /** The frame, when these bytes are its last ones. `too long` for a frame that says to be longer than allowed, and for bytes behind a frame. */
  read(bytes: Buffer): Buffer | 'too long' | undefined {
    this.#parts = Buffer.concat([this.#parts, bytes]);
    if (this.#parts.length < HEAD) return undefined;
    const end = HEAD + this.#parts.readUInt32BE(0);
    if (end > HEAD + this.longest || this.#parts.length > end) return 'too long';
    if (this.#parts.length < end) return undefined;
    const frame = this.#parts.subarray(HEAD);
    this.#parts = Buffer.of();
    return frame;
  }
}
