import { EventStoreDBClient } from '@eventstore/db-client';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

/** A BatchAppend call: appends go in, answers come out by correlation id. */
export interface BatchAppendCall {
  write(request: BatchAppendReq): boolean;
  cancel(): void;
  on(event: 'data', listener: (answer: BatchAppendResp) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'close', listener: () => void): this;
}

interface StreamsStub {
  batchAppend(...callArguments: unknown[]): BatchAppendCall;
}

/** What the client's own commands are made of; its types keep it `protected`. It belongs to the exact version in package.json. */
interface ClientParts {
  GRPCStreamCreator(stub: unknown, name: string, create: (stub: StreamsStub) => BatchAppendCall): () => Promise<BatchAppendCall>;
  callArguments(options: object, callOptions: { deadline: number }): unknown[];
  getChannel(): Promise<{ close(): void }>;
}

const partsOf = (client: EventStoreDBClient): ClientParts => client as unknown as ClientParts;

/** Throws when the connection string is none. */
export const openClient = (connectionString: string): EventStoreDBClient => EventStoreDBClient.connectionString(connectionString);

/** Opens a call over the client's connection; when it fails, the client connects anew. */
export const openBatchAppend = (client: EventStoreDBClient): Promise<BatchAppendCall> => {
  const parts = partsOf(client);
  return parts.GRPCStreamCreator(streamsService.StreamsClient, 'batchAppend', (stub) => stub.batchAppend(...parts.callArguments({}, { deadline: Infinity })))();
};

/** Ends all calls and the connection. May never settle. */
export const closeClient = async (client: EventStoreDBClient): Promise<void> => {
  await client.dispose();
  (await partsOf(client).getChannel()).close();
};
