import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import { type sendUnaryData, Server, ServerCredentials, type ServerDuplexStream, type ServerReadableStream, type ServerUnaryCall, type ServerWritableStream, type ServiceDefinition } from '@grpc/grpc-js';

import { serveBatchAppend } from './batch-append.js';
import { Faults } from './faults.js';
import { Log } from './log.js';
import { serveRead } from './read.js';
import { serveAppend, serveDelete, serveTombstone } from './unary-calls.js';

export interface TestServerOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Where its data lies. */
  readonly folder: string;
}

const VERSION = '23.10.7-grpc-test-server';

/** Larger messages end the whole call, as with the real server. */
const MAX_MESSAGE = 16 * 1024 * 1024;

/**
 * NOT EventStoreDB: a stand-in for tests where none can be installed. It speaks the protocol of its streams to the real
 * client, with the decisions of the real server's source (23.10.7), and keeps its data in SQLite, on disk before it answers.
 */
export class GrpcTestServer {
  readonly faults = new Faults();
  readonly #log: Log;
  readonly #server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE });
  #port = 0;

  private constructor(folder: string) {
    this.#log = new Log(folder);
    this.#server.addService(streamsService.StreamsService as unknown as ServiceDefinition, {
      read: (call: ServerWritableStream<Streams.ReadReq, Streams.ReadResp>) => serveRead(call, this.#log, this.faults),
      batchAppend: (call: ServerDuplexStream<Streams.BatchAppendReq, Streams.BatchAppendResp>) => serveBatchAppend(call, this.#log, this.faults),
      append: (call: ServerReadableStream<Streams.AppendReq, Streams.AppendResp>, reply: sendUnaryData<Streams.AppendResp>) =>
        serveAppend(call, reply, this.#log, this.faults),
      delete: (call: ServerUnaryCall<Streams.DeleteReq, Streams.DeleteResp>, reply: sendUnaryData<Streams.DeleteResp>) => serveDelete(call, reply, this.#log),
      tombstone: (call: ServerUnaryCall<Streams.TombstoneReq, Streams.TombstoneResp>, reply: sendUnaryData<Streams.TombstoneResp>) =>
        serveTombstone(call, reply, this.#log),
    });
    this.#server.addService(featuresService.ServerFeaturesService as unknown as ServiceDefinition, {
      getSupportedMethods: (_call: unknown, reply: sendUnaryData<unknown>) => reply(null, supportedMethods()),
    });
    this.#server.addService(gossipService.GossipService as unknown as ServiceDefinition, {
      read: (_call: unknown, reply: sendUnaryData<unknown>) => reply(null, clusterOfOne(this.#port)),
    });
  }

  static async start({ port = 0, folder }: TestServerOptions): Promise<GrpcTestServer> {
    const started = new GrpcTestServer(folder);
    started.#port = await new Promise<number>((resolve, reject) =>
      started.#server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    return started;
  }

  get port(): number {
    return this.#port;
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** Ends every call at once, as a server does that is told to end. */
  stop(): void {
    this.#server.forceShutdown();
    this.#log.close();
  }
}

const supportedMethods = () => {
  const message = new features.SupportedMethods();
  message.setEventStoreServerVersion(VERSION);
  for (const name of ['read', 'append', 'batchappend', 'delete', 'tombstone']) {
    const method = new features.SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    message.addMethods(method);
  }
  return message;
};

/** MemberInfo.VNodeState. */
const LEADER = 8;

const clusterOfOne = (port: number) => {
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress('127.0.0.1');
  endPoint.setPort(port);
  const id = new shared.UUID();
  id.setString(crypto.randomUUID());
  const member = new gossip.MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp(`${Date.now()}`);
  member.setState(LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const message = new gossip.ClusterInfo();
  message.addMembers(member);
  return message;
};
