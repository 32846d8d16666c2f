import type { JsonObject } from '#kernel';

import { type ExpectedRevision, NO_STREAM, type Retention, type StreamName } from '../event-store.js';

/** Where EventStoreDB keeps a stream's metadata. */
export const metastreamOf = (stream: StreamName): StreamName => `$$${stream}` as StreamName;

export interface StreamMetadata {
  /** Of the metadata's own stream. */
  readonly revision: ExpectedRevision;
  readonly data: JsonObject;
}

export const NO_METADATA: StreamMetadata = { revision: NO_STREAM, data: {} };

/** `$tb` of a deleted stream: the greatest 64-bit integer, which a JavaScript number cannot hold. */
const DELETED = '9223372036854775807';

/** The first revision that counts, when a deletion has moved it; not for a stream that is deleted now. */
export const beginOf = ({ data: { $tb } }: StreamMetadata): number | undefined =>
  typeof $tb === 'number' && Number.isSafeInteger($tb) && $tb > 0 ? $tb : undefined;

/** JSON text. Keeps what else is set: without its `$tb`, a stream that began again would show what was deleted. */
export const withRetention = ({ data: { $maxAge: _age, $maxCount: _count, $tb, ...others } }: StreamMetadata, { maxAge, maxCount }: Retention): string =>
  JSON.stringify({
    ...others,
    ...($tb !== undefined && { $tb: Number.isSafeInteger($tb) ? $tb : (JSON as unknown as RawJson).rawJSON(DELETED) }),
    ...(maxAge !== undefined && { $maxAge: maxAge }),
    ...(maxCount !== undefined && { $maxCount: maxCount }),
  });

/** ECMAScript's JSON.rawJSON, which TypeScript does not know yet. */
interface RawJson {
  rawJSON(text: string): object;
}
