import type { JsonObject } from '#kernel';

import { type ExpectedRevision, NO_STREAM, type Retention, type StreamName } from '../event-store.js';

declare global {
  /** ECMAScript's JSON.rawJSON, which TypeScript's library does not declare yet. */
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** Where EventStoreDB keeps a stream's metadata. */
export const metastreamOf = (stream: StreamName): StreamName => `$$${stream}` as StreamName;

/** Such a stream has no metadata of its own: the server refuses to read it, to a plain user with a denial of access. */
export const isMetastream = (stream: string): boolean => stream.startsWith('$$');

export interface StreamMetadata {
  /** Of the metadata's own stream. */
  readonly revision: ExpectedRevision;
  readonly data: JsonObject;
}

export const NO_METADATA: StreamMetadata = { revision: NO_STREAM, data: {} };

/** `$tb` of a stream that was deleted: the greatest 64-bit integer, which a JavaScript number cannot hold. */
const DELETED = '9223372036854775807';

/** JSON text. Keeps all other metadata: without its `$tb`, a stream would show its truncated events. */
export const withRetention = (
  { data: { $maxAge: _age, $maxCount: _count, $tb, ...others } }: StreamMetadata,
  { maxAge, maxCount }: Retention,
): string =>
  JSON.stringify({
    ...others,
    ...($tb !== undefined && { $tb: truncation($tb) }),
    ...(maxAge !== undefined && { $maxAge: maxAge }),
    ...(maxCount !== undefined && { $maxCount: maxCount }),
  });

/** JSON text. Keeps all other metadata, and the higher one of two truncations. */
export const withTruncation = ({ data }: StreamMetadata, revision: number): string =>
  JSON.stringify({ ...data, $tb: truncation(Math.max(Number(data['$tb'] ?? 0), revision)) });

/** The mark of a deleted stream, to its last digit; any other number as it is. */
const truncation = ($tb: unknown): unknown => (Number.isSafeInteger($tb) ? $tb : JSON.rawJSON(DELETED));
