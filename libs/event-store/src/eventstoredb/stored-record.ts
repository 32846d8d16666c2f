import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

import { uuidOf } from './append-messages.js';

/** An event as the server hands it over, in the terms of the client. */
export interface StoredRecord {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: { readonly commit: bigint } | undefined;
}

type Record = ReadResp.ReadEvent.RecordedEvent;

/** What the client makes of it, without what no caller uses. Throws SyntaxError for data that claim to be JSON and are not. */
export const storedRecord = (record: Record): StoredRecord => {
  const properties = record.getMetadataMap();
  const data = record.getData_asU8();
  const metadata = record.getCustomMetadata_asU8();
  return {
    streamId: textOf(record.getStreamIdentifier()?.getStreamName_asU8()),
    id: idOf(record),
    revision: BigInt(record.getStreamRevision()),
    type: properties.get('type') ?? '',
    data: properties.get('content-type') === 'application/json' ? JSON.parse(textOf(data)) : data,
    ...(metadata.length > 0 && { metadata: metadataOf(metadata) }),
    position: { commit: BigInt(record.getCommitPosition()) },
  };
};

const idOf = (record: Record): string => {
  const structured = record.getId()?.getStructured();
  return structured ? uuidOf(structured.getMostSignificantBits(), structured.getLeastSignificantBits()) : (record.getId()?.getString() ?? '');
};

/** Another program may have stored some that are no JSON. */
const metadataOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return bytes;
  }
};

const textOf = (bytes: Uint8Array = new Uint8Array()): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
