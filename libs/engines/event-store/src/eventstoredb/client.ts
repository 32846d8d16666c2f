import { EventStoreDBClient } from '@eventstore/db-client';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

/** A BatchAppend call: appends go in, answers come out by correlation id. */
export interface BatchAppendCall {
  write(request: BatchAppendReq): boolean;
  cancel(): void;
  on(event: 'data', listener: (answer: BatchAppendResp) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'close', listener: () => void): this;
}

/** A Read call: one request, many answers. */
export interface ReadCall {
  cancel(): void;
  /** With a serialized `ReadResp`. */
  on(event: 'data', listener: (answer: Uint8Array) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'end', listener: () => void): this;
}

interface StreamsStub {
  batchAppend(...callArguments: unknown[]): BatchAppendCall;
  makeServerStreamRequest(
    path: string,
    serialize: (request: ReadReq) => Buffer,
    deserialize: (answer: Buffer) => Uint8Array,
    request: ReadReq,
    ...callArguments: unknown[]
  ): ReadCall;
  makeUnaryRequest(
    path: string,
    serialize: (request: Uint8Array) => Buffer,
    deserialize: (answer: Buffer) => Uint8Array,
    request: Uint8Array,
    ...callArguments: unknown[]
  ): UnaryCall;
}

interface UnaryCall {
  cancel(): void;
}

interface FeaturesStub {
  getSupportedMethods(...callArguments: unknown[]): UnaryCall;
}

interface GossipStub {
  read(...callArguments: unknown[]): unknown;
}

/** A node of a cluster, as another node or the node itself describes it. */
export interface GossipedNode {
  /** `address:port`. */
  readonly host: string;
  readonly leads: boolean;
  readonly isAlive: boolean;
}

/** The parts that the client's own commands use; its types keep them `protected`. They belong to the exact version in package.json. */
interface ClientParts {
  GRPCStreamCreator<Call>(stub: unknown, name: string, create: (stub: StreamsStub) => Call): () => Promise<Call>;
  getGRPCClient<Stub = StreamsStub>(stub: unknown, name: string): Promise<Stub>;
  handleError(stub: object, error: Error): Promise<void>;
  /** Are cancelled when the client is closed. */
  readonly disposableStreams: Set<unknown>;
  execute<Result>(stub: unknown, name: string, call: (stub: GossipStub) => Promise<Result>): Promise<Result>;
  callArguments(options: { requiresLeader?: boolean }, callOptions: { deadline: number }): unknown[];
  getChannel(): Promise<{ close(): void }>;
  readonly capabilities: Promise<{ readonly serverVersion: string }>;
}

const partsOf = (client: EventStoreDBClient): ClientParts => client as unknown as ClientParts;

/** Throws when the connection string is none. */
export const openClient = (connectionString: string): EventStoreDBClient => EventStoreDBClient.connectionString(connectionString);

/** Opens a call over the client's connection; when it fails, the client connects anew. */
export const openBatchAppend = (client: EventStoreDBClient): Promise<BatchAppendCall> => {
  const parts = partsOf(client);
  return parts.GRPCStreamCreator(streamsService.StreamsClient, 'batchAppend', (stub) =>
    stub.batchAppend(...parts.callArguments({}, { deadline: Infinity })),
  )();
};

/**
 * Opens a read on the leader. When another node refuses it, the client connects to the leader. What `GRPCStreamCreator` does, with two listeners in place of
 * the nine of `finished`: a read is the most frequent call.
 */
export const openRead = async (client: EventStoreDBClient, request: ReadReq): Promise<ReadCall> => {
  const parts = partsOf(client);
  const stub = await parts.getGRPCClient(streamsService.StreamsClient, 'read');
  const call = withoutStack(() =>
    stub.makeServerStreamRequest(READ, serialized, asIs, request, ...parts.callArguments({ requiresLeader: true }, { deadline: Infinity })),
  );
  parts.disposableStreams.add(call);
  call.on('end', () => void parts.disposableStreams.delete(call));
  call.on('error', (error) => {
    parts.disposableStreams.delete(call);
    void parts.handleError(stub, error);
  });
  return call;
};

const READ = '/event_store.client.streams.Streams/Read';

const serialized = (request: ReadReq): Buffer => Buffer.from(request.serializeBinary());

/** A failure to read an answer is the caller's: the library would end the call and say nothing of the cause. */
const asIs = (answer: Buffer): Uint8Array => answer;

/** The library notes the stack of each call, for the text of an error. */
const withoutStack = <Result>(work: () => Result): Result => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
};

const RECORDS_SERVICE = 'kurrentdb.protocol.v2.streams.StreamsService';
const APPEND_RECORDS = `/${RECORDS_SERVICE}/AppendRecords`;

/** Whether the servers of these connections have `AppendRecords`. A client that connects anew makes new stubs. */
const features = new WeakMap<object, Promise<boolean>>();

const featuresStub = (client: EventStoreDBClient) => partsOf(client).getGRPCClient<FeaturesStub>(featuresService.ServerFeaturesClient, 'features');

/** Whether the server has the call that appends to several streams: asked once for each connection. Rejects when it does not say so. */
export const hasAppendRecords = async (client: EventStoreDBClient, signal: AbortSignal): Promise<boolean> => {
  const stub = await featuresStub(client);
  const known = features.get(stub);
  if (known) return known;
  const asked = askForAppendRecords(client, stub, signal);
  features.set(stub, asked);
  asked.catch(() => features.delete(stub));
  return asked;
};

/** The server has told of a call that it has not, or has been replaced by another one: it is asked again. */
export const forgetFeatures = (client: EventStoreDBClient): void => {
  void featuresStub(client).then(
    (stub) => features.delete(stub),
    () => undefined,
  );
};

const askForAppendRecords = async (client: EventStoreDBClient, stub: FeaturesStub, signal: AbortSignal): Promise<boolean> => {
  const methods = await unaryAnswer<SupportedMethods>({ client, stub, signal }, (...given) =>
    stub.getSupportedMethods(new shared.Empty(), ...given),
  ).catch((error: unknown) => {
    // A server from before the question was known.
    if ((error as { code?: unknown }).code === UNIMPLEMENTED) return undefined;
    throw error;
  });
  // In lower case, as servers name them.
  const isIt = (service: string, method: string) => `/${service}/${method}`.toLowerCase() === APPEND_RECORDS.toLowerCase();
  return methods?.getMethodsList().some((one) => isIt(one.getServiceName(), one.getMethodName())) ?? false;
};

/** gRPC's code for a call that the server does not know. */
const UNIMPLEMENTED = 12;

/** A serialized `AppendRecordsRequest`, answered by a serialized `AppendRecordsResponse`. Rejects with what the server says, and when the signal ends the call. */
export const appendRecords = async (client: EventStoreDBClient, request: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
  const stub = await partsOf(client).getGRPCClient(streamsService.StreamsClient, 'appendRecords');
  return unaryAnswer<Uint8Array>({ client, stub, signal }, (...given) =>
    withoutStack(() => stub.makeUnaryRequest(APPEND_RECORDS, (bytes) => Buffer.from(bytes), asIs, request, ...given)),
  );
};

/** A call with one answer, which the signal ends; when it fails otherwise, the client connects anew. */
const unaryAnswer = <Answer>(
  { client, stub, signal }: { readonly client: EventStoreDBClient; readonly stub: object; readonly signal: AbortSignal },
  start: (...given: unknown[]) => UnaryCall,
): Promise<Answer> => {
  const parts = partsOf(client);
  return new Promise((resolve, reject) => {
    const cancel = (): void => call.cancel();
    const done = (error: Error | null, answer: Answer): void => {
      signal.removeEventListener('abort', cancel);
      if (!error) return resolve(answer);
      if (!signal.aborted) void parts.handleError(stub, error);
      reject(error);
    };
    const call = start(...parts.callArguments({}, { deadline: Infinity }), done);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
  });
};

/** The version that the server tells of itself, `24.10.9` for instance; `unknown` where it tells none. */
export const serverVersionOf = async (client: EventStoreDBClient): Promise<string> => (await partsOf(client).capabilities).serverVersion;

/** The cluster as the client's node knows it. A node without a cluster reports that it leads. */
export const gossipOf = (client: EventStoreDBClient): Promise<readonly GossipedNode[]> => {
  const parts = partsOf(client);
  return parts.execute(
    gossipService.GossipClient,
    'gossip',
    (stub) =>
      new Promise<readonly GossipedNode[]>((resolve, reject) => {
        const answer = (error: Error | null, info: gossip.ClusterInfo): void => {
          if (error) reject(error);
          else resolve(info.getMembersList().map(memberOf));
        };
        stub.read(new shared.Empty(), ...parts.callArguments({}, { deadline: Infinity }), answer);
      }),
  );
};

const memberOf = (member: gossip.MemberInfo): GossipedNode => ({
  host: `${member.getHttpEndPoint()?.getAddress()}:${member.getHttpEndPoint()?.getPort()}`,
  leads: member.getState() === gossip.MemberInfo.VNodeState.LEADER,
  isAlive: member.getIsAlive(),
});

/** Ends all calls and the connection. May never settle. */
export const closeClient = async (client: EventStoreDBClient): Promise<void> => {
  await client.dispose();
  (await partsOf(client).getChannel()).close();
};
