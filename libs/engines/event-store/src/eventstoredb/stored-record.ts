import jspb, { type BinaryReader } from 'google-protobuf';

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

/** One message that answers a read. */
export interface ReadAnswer {
  /** Of an answer without an event: undefined. */
  readonly record: StoredRecord | undefined;
  /** The stream never was, or was deleted. */
  readonly isStreamNotFound: boolean;
}

/** The fields that a caller uses, as they come. */
interface Fields {
  isStreamNotFound: boolean;
  hasRecord: boolean;
  streamId: string;
  id: string;
  revision: string;
  commit: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
  /** Of the pair that is being read: key and value, or the halves of an id. */
  first: string;
  second: string;
}

type ReadField = (reader: BinaryReader, fields: Fields) => void;

/**
 * The event of a serialized `ReadResp` (streams.proto of EventStoreDB), as the client makes it, without what no caller uses. By the reader of the library alone: the generated
 * classes make a dozen objects of each event first. Throws SyntaxError for data that claim to be JSON and are not, and an Error for bytes that are no message.
 */
export const readAnswer = (message: Uint8Array): ReadAnswer => {
  const fields: Fields = {
    isStreamNotFound: false,
    hasRecord: false,
    streamId: '',
    id: '',
    revision: '0',
    commit: '0',
    type: '',
    contentType: '',
    data: NOTHING,
    metadata: NOTHING,
    first: '',
    second: '',
  };
  answer(new jspb.BinaryReader(message), fields);
  return { record: fields.hasRecord ? recordOf(fields) : undefined, isStreamNotFound: fields.isStreamNotFound };
};

const NOTHING = new Uint8Array();

const recordOf = ({ streamId, id, revision, commit, type, contentType, data, metadata }: Fields): StoredRecord => ({
  streamId,
  id,
  revision: BigInt(revision),
  type,
  data: contentType === 'application/json' ? JSON.parse(textOf(data)) : data,
  ...(metadata.length > 0 && { metadata: metadataOf(metadata) }),
  position: { commit: BigInt(commit) },
});

/** Another program may have stored some that are no JSON. */
const metadataOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return bytes;
  }
};

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

/** Reads the fields of a message that have a reader of this number, and skips the others. */
const each =
  (readers: Readonly<Record<number, ReadField>>): ReadField =>
  (reader, fields) => {
    while (reader.nextField()) {
      const read = readers[reader.getFieldNumber()];
      if (read) read(reader, fields);
      else reader.skipField();
    }
  };

/** A message in a field. The library's type asks for one of a generated class, which the library only hands on. */
const nested = (readers: Readonly<Record<number, ReadField>>): ReadField => {
  const read = each(readers);
  const swapped = (fields: Fields, reader: BinaryReader): void => read(reader, fields);
  return (reader, fields) => void reader.readMessage(fields as never, swapped as never);
};

const bytesOf = (reader: BinaryReader): Uint8Array => reader.readBytes() as Uint8Array;

const pair = (read: (reader: BinaryReader) => string, use: (fields: Fields) => void): ReadField => {
  const both = nested({
    1: (reader, fields) => void (fields.first = read(reader)),
    2: (reader, fields) => void (fields.second = read(reader)),
  });
  return (reader, fields) => {
    fields.first = fields.second = '';
    both(reader, fields);
    use(fields);
  };
};

const structured = pair(
  (reader) => reader.readInt64String(),
  (fields) => (fields.id = uuidOf(fields.first, fields.second)),
);

const property = pair(
  (reader) => textOf(bytesOf(reader)),
  (fields) => {
    if (fields.first === 'type') fields.type = fields.second;
    else if (fields.first === 'content-type') fields.contentType = fields.second;
  },
);

const recordedEvent = nested({
  1: nested({ 1: structured, 2: (reader, fields) => void (fields.id = reader.readString()) }),
  2: nested({ 3: (reader, fields) => void (fields.streamId = textOf(bytesOf(reader))) }),
  3: (reader, fields) => void (fields.revision = reader.readUint64String()),
  5: (reader, fields) => void (fields.commit = reader.readUint64String()),
  6: property,
  7: (reader, fields) => void (fields.metadata = bytesOf(reader)),
  8: (reader, fields) => void (fields.data = bytesOf(reader)),
});

const readEvent = nested({ 1: (reader, fields) => void ((fields.hasRecord = true), recordedEvent(reader, fields)) });

const answer = each({
  1: readEvent,
  4: (reader, fields) => void ((fields.isStreamNotFound = true), reader.skipField()),
});
