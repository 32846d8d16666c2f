import type { ServiceDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/**
 * The part of KurrentDB's protocol 2 for appends to several streams, word for word from the sources of the vendor's client for Node.js (Apache License 2.0:
 * protos/kurrentdb/protocols/v2/streams). Another implementation of protobuf than the adapter's reads it, so that the one proves the other.
 */
const STREAMS = `
syntax = "proto3";
package kurrentdb.protocol.v2.streams;
import "google/protobuf/struct.proto";

enum SchemaFormat {
  SCHEMA_FORMAT_UNSPECIFIED = 0;
  SCHEMA_FORMAT_JSON        = 1;
  SCHEMA_FORMAT_PROTOBUF    = 2;
  SCHEMA_FORMAT_AVRO        = 3;
  SCHEMA_FORMAT_BYTES       = 4;
}
message SchemaInfo {
  SchemaFormat format = 1;
  string name = 2;
  optional string id = 3;
}
message AppendRecord {
  optional string record_id = 1;
  map<string, google.protobuf.Value> properties = 2;
  SchemaInfo schema = 3;
  bytes data = 4;
  string stream = 5;
}
message AppendRecordsRequest {
  repeated AppendRecord records = 1;
  repeated ConsistencyCheck checks = 2;
}
message AppendRecordsResponse {
  repeated StreamRevision revisions = 1;
  sint64 position = 2 [jstype = JS_STRING];
}
message ConsistencyCheck {
  oneof type {
    StreamStateCheck stream_state = 1;
  }
  message StreamStateCheck {
    string stream = 1;
    sint64 expected_state = 2 [jstype = JS_STRING];
  }
}
message StreamRevision {
  string stream = 1;
  sint64 revision = 2 [jstype = JS_STRING];
}`;

const ERRORS = `
syntax = "proto3";
package kurrentdb.protocol.v2.streams.errors;

message AppendRecordSizeExceededErrorDetails {
  string stream = 1;
  string record_id = 2;
  int32 size = 3;
  int32 max_size = 4;
}
message AppendTransactionSizeExceededErrorDetails {
  int32 size = 1;
  int32 max_size = 2;
}
message AppendConsistencyViolationErrorDetails {
  repeated ConsistencyViolation violations = 1;
}
message ConsistencyViolation {
  int32 check_index = 1;
  oneof type {
    StreamStateViolation stream_state = 2;
  }
  message StreamStateViolation {
    string stream = 1;
    sint64 expected_state = 2 [jstype = JS_STRING];
    sint64 actual_state = 3 [jstype = JS_STRING];
  }
}`;

/** From the sources of the server and from Google's: how it names a failure. */
const FAILURES = `
syntax = "proto3";
package google.rpc;
import "google/protobuf/any.proto";

message Status {
  int32 code = 1;
  string message = 2;
  repeated google.protobuf.Any details = 3;
}
message ErrorInfo {
  string reason = 1;
  string domain = 2;
}`;

const KURRENT = `
syntax = "proto3";
package kurrent.rpc;

message AccessDeniedErrorDetails {
  string operation = 1;
}
message NotLeaderNodeErrorDetails {
  NodeInfo current_leader = 1;
  message NodeInfo {
    string host = 1;
    int32 port = 2;
  }
}`;

const root = new protobuf.Root();
for (const name of ['google/protobuf/struct.proto', 'google/protobuf/any.proto']) root.addJSON(protobuf.common.get(name)?.nested ?? {});
for (const text of [STREAMS, ERRORS, FAILURES, KURRENT]) protobuf.parse(text, root, { keepCase: false });
root.resolveAll();

export interface Value {
  readonly nullValue?: 0;
  readonly numberValue?: number;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly structValue?: { readonly fields?: Readonly<Record<string, Value>> };
  readonly listValue?: { readonly values?: readonly Value[] };
}

/** As it comes: an absent field has no member. */
export interface AppendRecord {
  readonly recordId?: string;
  readonly properties?: Readonly<Record<string, Value>>;
  readonly schema?: { readonly format?: number; readonly name?: string };
  readonly data?: Uint8Array;
  readonly stream?: string;
}

export interface ConsistencyCheck {
  readonly streamState?: { readonly stream?: string; readonly expectedState?: string };
}

export interface AppendRecordsRequest {
  readonly records?: readonly AppendRecord[];
  readonly checks?: readonly ConsistencyCheck[];
}

export interface AppendRecordsResponse {
  readonly revisions: readonly { readonly stream: string; readonly revision: string }[];
  readonly position: string;
}

/** The bytes of a message of this full name. */
export const encoded = (name: string, message: object): Buffer => {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(message)).finish());
};

/** The message of this full name. */
export const decoded = (name: string, bytes: Buffer): object => {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: String });
};

const PACKAGE = 'kurrentdb.protocol.v2.streams';

/** `AppendRecords` of the service: the one call of protocol 2 that this server has. */
export const RECORDS_SERVICE: ServiceDefinition = {
  appendRecords: {
    path: `/${PACKAGE}.StreamsService/AppendRecords`,
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer): AppendRecordsRequest => decoded(`${PACKAGE}.AppendRecordsRequest`, bytes),
    requestSerialize: (request: AppendRecordsRequest): Buffer => encoded(`${PACKAGE}.AppendRecordsRequest`, request),
    responseSerialize: (response: AppendRecordsResponse): Buffer => encoded(`${PACKAGE}.AppendRecordsResponse`, response),
    responseDeserialize: (bytes: Buffer): object => decoded(`${PACKAGE}.AppendRecordsResponse`, bytes),
  },
};
