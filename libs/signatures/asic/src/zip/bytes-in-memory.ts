import { Readable } from 'node:stream';

import { RandomAccessReader } from 'yauzl';

const CHUNK_BYTES = 64 * 1024;

/**
 * An archive in memory, for yauzl. Its own reader of a buffer waits for a turn of the event loop before each answer, a dozen times for a container; this
 * one answers before the next turn.
 */
export class BytesInMemory extends RandomAccessReader {
  constructor(private readonly bytes: Buffer) {
    super();
  }

  /** Answers how many bytes there were. */
  override read(into: Buffer, offset: number, length: number, position: number, callback: (error: Error | null, bytesRead?: number) => void): void {
    const found = this.bytes.subarray(position, position + length);
    found.copy(into, offset);
    queueMicrotask(() => callback(null, found.length));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.chunks(start, end), { objectMode: false });
  }

  /** The bytes from `start` to `end`, not copied. */
  *chunks(start: number, end: number): Generator<Buffer> {
    for (let at = start; at < end; at += CHUNK_BYTES) yield this.bytes.subarray(at, Math.min(at + CHUNK_BYTES, end));
  }
}
