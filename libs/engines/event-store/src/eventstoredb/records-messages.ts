import jspb, { type BinaryReader, type BinaryWriter } from 'google-protobuf';
import type { Json } from '#kernel';

import { type ExpectedRevision, NO_STREAM, type StreamName, type StreamRevision } from '../event-store.js';
import type { PreparedEvent } from '../prepare-append.js';

/** Appends to streams, all or none, if the streams of `unchanged` are as they were. */
export interface RecordsRequest {
  readonly appends: readonly RecordsOfStream[];
  readonly unchanged: readonly StreamRevision[];
}

interface RecordsOfStream extends StreamRevision {
  readonly events: readonly PreparedEvent[];
}

/** A stream that is not as the request expects it. `tombstoned` also of a stream that the request does not write. */
export interface Violation extends StreamRevision {
  readonly actual: ExpectedRevision | 'tombstoned';
}

/** KurrentDB's protocol 2: `sint64` for a state, which is a revision or one of these. */
const NO_STREAM_STATE = '-1';
const TOMBSTONED_STATE = '-6';
const JSON_FORMAT = 1;

/**
 * An `AppendRecordsRequest` (kurrentdb.protocol.v2.streams): the state of every stream as a check, those that are written first, and the events in the order of the appends. By the
 * writer of the library alone, as the client has no classes for this protocol.
 */
export const recordsMessage = ({ appends, unchanged }: RecordsRequest): Uint8Array => {
  const writer = new jspb.BinaryWriter();
  for (const { stream, events } of appends) for (const event of events) nested(writer, 1, () => writeRecord(writer, stream, event));
  for (const check of [...appends, ...unchanged]) nested(writer, 2, () => nested(writer, 1, () => writeCheck(writer, check)));
  return writer.getResultBuffer();
};

const writeRecord = (writer: BinaryWriter, stream: StreamName, { id, type, data, metadata }: PreparedEvent): void => {
  writer.writeString(1, id);
  writeMembers(writer, 2, JSON.parse(metadata) as Record<string, Json>);
  nested(writer, 3, () => {
    writer.writeEnum(1, JSON_FORMAT);
    writer.writeString(2, type);
  });
  writer.writeBytes(4, Buffer.from(data));
  writer.writeString(5, stream);
};

const writeCheck = (writer: BinaryWriter, { stream, expected }: StreamRevision): void => {
  writer.writeString(1, stream);
  writer.writeSint64String(2, expected === NO_STREAM ? NO_STREAM_STATE : String(expected));
};

/** A `map<string, google.protobuf.Value>`. */
const writeMembers = (writer: BinaryWriter, field: number, members: Readonly<Record<string, Json | undefined>>): void => {
  for (const [name, value] of Object.entries(members)) {
    nested(writer, field, () => {
      writer.writeString(1, name);
      nested(writer, 2, () => writeValue(writer, value ?? null));
    });
  }
};

const writeValue = (writer: BinaryWriter, value: Json): void => {
  if (value === null) return writer.writeEnum(1, 0);
  if (typeof value === 'number') return writer.writeDouble(2, value);
  if (typeof value === 'string') return writer.writeString(3, value);
  if (typeof value === 'boolean') return writer.writeBool(4, value);
  if (!Array.isArray(value)) return nested(writer, 5, () => writeMembers(writer, 1, value as Record<string, Json>));
  nested(writer, 6, () => {
    for (const each of value as readonly Json[]) nested(writer, 1, () => writeValue(writer, each));
  });
};

/** A message in a field. The library's type asks for one of a generated class, which the library only hands on. */
const nested = (writer: BinaryWriter, field: number, write: () => void): void => writer.writeMessage(field, write as never, write as never);

/** The last revision of each stream that was written, of a serialized `AppendRecordsResponse`. */
export const storedRevisions = (response: Uint8Array): ReadonlyMap<string, number> => {
  const revisions = new Map<string, number>();
  readFields(response, {
    1: (field) => {
      const one = { stream: '', revision: '0' };
      readFields(bytesOf(field), { 1: (text) => (one.stream = text.readString()), 2: (number) => (one.revision = number.readSint64String()) });
      revisions.set(one.stream, Number(one.revision));
    },
  });
  return revisions;
};

/** The details of a failure by the names of their types, of a serialized `google.rpc.Status`. */
export const detailsOf = (status: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const details = new Map<string, Uint8Array>();
  readFields(status, {
    3: (field) => {
      let url = '';
      let value: Uint8Array = new Uint8Array();
      readFields(bytesOf(field), { 1: (text) => (url = text.readString()), 2: (bytes) => (value = bytesOf(bytes)) });
      details.set(url.slice(url.lastIndexOf('/') + 1), value);
    },
  });
  return details;
};

/** Of serialized `AppendConsistencyViolationErrorDetails`, which name the checks of the request by their index. */
export const violationsOf = (details: Uint8Array, { appends, unchanged }: RecordsRequest): readonly Violation[] => {
  const checks: readonly StreamRevision[] = [...appends, ...unchanged];
  const violations: Violation[] = [];
  readFields(details, {
    1: (field) => {
      let [index, actual] = [0, '0'];
      readFields(bytesOf(field), {
        1: (number) => (index = number.readInt32()),
        2: (state) => readFields(bytesOf(state), { 3: (number) => (actual = number.readSint64String()) }),
      });
      const check = checks[index];
      if (check) violations.push({ stream: check.stream, expected: check.expected, actual: stateOf(actual) });
    },
  });
  return violations;
};

/** A stream that another program has deleted reads as none. */
const stateOf = (state: string): Violation['actual'] => {
  if (state === TOMBSTONED_STATE) return 'tombstoned';
  return state.startsWith('-') ? NO_STREAM : Number(state);
};

const bytesOf = (reader: BinaryReader): Uint8Array => reader.readBytes() as Uint8Array;

/** Reads the fields of a message that have a reader of this number, and skips the others. */
const readFields = (message: Uint8Array, readers: Readonly<Record<number, (reader: BinaryReader) => unknown>>): void => {
  const reader = new jspb.BinaryReader(message);
  while (reader.nextField()) {
    const read = readers[reader.getFieldNumber()];
    if (read) read(reader);
    else reader.skipField();
  }
};
