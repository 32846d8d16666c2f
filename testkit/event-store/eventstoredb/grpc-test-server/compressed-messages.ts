import { Transform, type TransformCallback } from 'node:stream';
import { constants, gzipSync } from 'node:zlib';

/** A flag and the length of the message: gRPC over HTTP/2, Length-Prefixed-Message. */
const PREFIX_LENGTH = 5;
const COMPRESSED = 1;

/** Compresses each message of a gRPC answer by gzip. */
export class CompressedMessages extends Transform {
  #chunks: Buffer[] = [];
  #size = 0;
  /** The bytes that the next step needs: a prefix, or a message with its prefix. */
  #needed = PREFIX_LENGTH;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed) this.#take();
    done();
  }

  #take(): void {
    const bytes = Buffer.concat(this.#chunks);
    const whole = PREFIX_LENGTH + bytes.readUInt32BE(1);
    const rest = bytes.length < whole ? bytes : bytes.subarray(whole);
    if (rest !== bytes) this.push(compressed(bytes.subarray(PREFIX_LENGTH, whole)));
    this.#chunks = [rest];
    this.#size = rest.length;
    this.#needed = rest === bytes ? whole : PREFIX_LENGTH;
  }
}

const compressed = (message: Buffer): Buffer => {
  const content = gzipSync(message, { level: constants.Z_BEST_SPEED });
  const prefix = Buffer.alloc(PREFIX_LENGTH);
  prefix.writeUInt8(COMPRESSED);
  prefix.writeUInt32BE(content.length, 1);
  return Buffer.concat([prefix, content]);
};
