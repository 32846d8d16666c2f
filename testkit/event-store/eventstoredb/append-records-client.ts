import { type ClientUnaryCall, credentials, makeGenericClientConstructor, type ServiceError } from '@grpc/grpc-js';

import { type AppendRecord, type AppendRecordsRequest, decoded, RECORDS_SERVICE, type Value } from './grpc-test-server/records-protocol.js';

/** A stream that is not as a check expects it: the index of the check, and the state. */
export interface ToldViolation {
  readonly checkIndex?: number;
  readonly streamState: { readonly stream: string; readonly expectedState?: string; readonly actualState?: string };
}

/** What the server says of a call that it refuses. */
export interface RecordsRefusal {
  /** gRPC's code. */
  readonly code: number;
  readonly violations: readonly ToldViolation[];
}

interface Answer {
  readonly revisions: readonly { readonly stream: string; readonly revision?: string }[];
  readonly position: string;
}

type Callback = (error: ServiceError | null, answer: Answer) => void;

const Client = makeGenericClientConstructor(RECORDS_SERVICE, 'StreamsService');

/** `AppendRecords` of KurrentDB without the adapter: its protocol by another implementation of protobuf. */
export class AppendRecordsClient {
  readonly #client;

  constructor(connectionString: string) {
    const { host } = new URL(connectionString);
    this.#client = new Client(host, connectionString.includes('tls=false') ? credentials.createInsecure() : credentials.createSsl());
  }

  append(request: AppendRecordsRequest): Promise<Answer> {
    const call = this.#client['appendRecords'] as unknown as (request: AppendRecordsRequest, callback: Callback) => ClientUnaryCall;
    return new Promise((resolve, reject) => call.call(this.#client, request, (error, answer) => (error ? reject(error) : resolve(answer))));
  }

  /** Rejects when the server refuses nothing. */
  async refusal(request: AppendRecordsRequest): Promise<RecordsRefusal> {
    const error = await this.append(request).then(
      () => Promise.reject(new Error('it succeeded')),
      (failure: ServiceError) => failure,
    );
    const [status] = error.metadata.get('grpc-status-details-bin');
    const { details = [] } = (status instanceof Buffer ? decoded('google.rpc.Status', status) : {}) as { details?: readonly Any[] };
    const violated = details.find((detail) => detail.type_url.endsWith(VIOLATED));
    const { violations = [] } = (violated ? decoded(VIOLATED, violated.value) : {}) as { violations?: readonly ToldViolation[] };
    return { code: error.code, violations };
  }

  close(): void {
    this.#client.close();
  }
}

interface Any {
  readonly type_url: string;
  readonly value: Buffer;
}

const VIOLATED = 'kurrentdb.protocol.v2.streams.errors.AppendConsistencyViolationErrorDetails';

const JSON_FORMAT = 1;

/** An event as a record. */
export const recordOf = (stream: string, recordId: string, properties: Readonly<Record<string, Value>> = {}, data: object = {}): AppendRecord => ({
  stream,
  recordId,
  properties,
  schema: { format: JSON_FORMAT, name: 'Happened' },
  data: Buffer.from(JSON.stringify(data)),
});

/** A check of a revision, or of a state below 0. */
export const checkOf = (stream: string, expected: number) => ({ streamState: { stream, expectedState: String(expected) } });
