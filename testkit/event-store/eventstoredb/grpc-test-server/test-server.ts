import { createServer } from 'node:http';
import type { Socket } from 'node:net';

import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';

import { Access, type Users } from './access.js';
import { adminRoutes } from './admin.js';
import { serveAppendRecords } from './append-records.js';
import { serveBatchAppend } from './batch-append.js';
import { Cluster } from './cluster.js';
import { CompressingRelay } from './compressing-relay.js';
import { type Behaviour, BEHAVIOURS, type Dialect } from './dialect.js';
import { Faults, type ReadLagShare } from './faults.js';
import { clusterInfo } from './gossip.js';
import { Listener, type Tls } from './listener.js';
import { Log } from './log.js';
import type { Node } from './node.js';
import { serveRead } from './read.js';
import { type AppendRecordsRequest, type AppendRecordsResponse, RECORDS_SERVICE } from './records-protocol.js';
import { Scavenges } from './scavenges.js';
import { serveAppend, serveDelete, serveTombstone } from './unary-calls.js';

export interface TestServerOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** The folder of its data. */
  readonly folder: string;
  /** Default: `sometimes`. */
  readonly readLag?: ReadLagShare | undefined;
  /** Default: everything is allowed. */
  readonly users?: Users | undefined;
  /** Called with a line for each call that the rights of its user do not allow. */
  readonly refused?: (line: string) => void;
  readonly tls?: Tls | undefined;
  /** Default: `23.10`. */
  readonly dialect?: Dialect | undefined;
  /** False: its operator has switched the compression of answers off. */
  readonly compresses?: boolean | undefined;
}

/** The server has truncated its log to the older copy that was put back, and has to be started once more. */
export class EndedAfterTruncation extends Error {}

/**
 * NOT EventStoreDB: a stand-in for tests where none can be installed. It speaks the protocol of its streams to the real
 * client, with the decisions of the real server's source (23.10.7; {@link Behaviour} names where later ones differ), and keeps its data in SQLite, on disk before it answers.
 */
export class GrpcTestServer {
  readonly faults: Faults;
  readonly cluster: Cluster;
  readonly #log: Log;
  readonly #server: Server;
  readonly #behaviour: Behaviour;
  readonly #access: Access;
  readonly #tls: Tls | undefined;
  #listener: Listener | undefined;
  #relay: CompressingRelay | undefined;

  private constructor({ folder, readLag, users, tls, refused, dialect = '23.10', compresses = true }: TestServerOptions) {
    this.faults = new Faults(readLag);
    this.#tls = tls;
    const behaviour = BEHAVIOURS[dialect];
    this.#behaviour = { ...behaviour, compresses: behaviour.compresses && compresses };
    this.#server = new Server({ 'grpc.max_receive_message_length': this.#behaviour.maxMessageSize });
    this.#log = new Log(folder, () => this.faults.readLag());
    this.#access = new Access(users, this.#log, refused);
    this.cluster = new Cluster(this.#log, () => this.port);
    const { cluster, faults } = this;
    const node: Node = { log: this.#log, writes: cluster.writes, cluster, faults, access: this.#access, behaviour: this.#behaviour };
    this.#server.addService(streamsService.StreamsService as unknown as ServiceDefinition, {
      read: (call: ServerWritableStream<Streams.ReadReq, Streams.ReadResp>) => serveRead(call, node),
      batchAppend: (call: ServerDuplexStream<Streams.BatchAppendReq, Streams.BatchAppendResp>) => serveBatchAppend(call, node),
      append: (call: ServerReadableStream<Streams.AppendReq, Streams.AppendResp>, reply: sendUnaryData<Streams.AppendResp>) =>
        serveAppend(call, reply, node),
      delete: (call: ServerUnaryCall<Streams.DeleteReq, Streams.DeleteResp>, reply: sendUnaryData<Streams.DeleteResp>) =>
        serveDelete(call, reply, node),
      tombstone: (call: ServerUnaryCall<Streams.TombstoneReq, Streams.TombstoneResp>, reply: sendUnaryData<Streams.TombstoneResp>) =>
        serveTombstone(call, reply, node),
    });
    if (this.#behaviour.appendsRecords)
      this.#server.addService(RECORDS_SERVICE, {
        appendRecords: (call: ServerUnaryCall<AppendRecordsRequest, AppendRecordsResponse>, reply: sendUnaryData<AppendRecordsResponse>) =>
          serveAppendRecords(call, reply, node),
      });
    this.#server.addService(featuresService.ServerFeaturesService as unknown as ServiceDefinition, {
      getSupportedMethods: (_call: unknown, reply: sendUnaryData<unknown>) => reply(null, supportedMethods(this.#behaviour)),
    });
    this.#server.addService(gossipService.GossipService as unknown as ServiceDefinition, {
      read: (_call: unknown, reply: sendUnaryData<unknown>) => reply(null, clusterInfo(this.cluster.members)),
    });
  }

  /** Throws {@link EndedAfterTruncation} in the dialects that end then. */
  static async start({ port = 0, ...options }: TestServerOptions): Promise<GrpcTestServer> {
    const started = new GrpcTestServer(options);
    if (started.#log.isTruncated && started.#behaviour.endsAfterTruncation) {
      started.#log.close();
      throw new EndedAfterTruncation('the log was truncated; start the server once more');
    }
    const grpc = started.#server.createConnectionInjector(ServerCredentials.createInsecure());
    const inject = (connection: Socket): void => grpc.injectConnection(connection);
    const relay = started.#behaviour.compresses ? await CompressingRelay.start(inject) : undefined;
    started.#relay = relay;
    const scavenges = new Scavenges(started.#log, started.cluster.writes, () => `127.0.0.1:${started.port}`);
    const admin = createServer(adminRoutes({ scavenges, cluster: started.cluster, access: started.#access, behaviour: started.#behaviour }));
    started.#listener = await Listener.start(
      port,
      {
        grpc: (connection) => (relay ? relay.accept(connection) : inject(connection)),
        http: (connection) => admin.emit('connection', connection),
      },
      options.tls,
    );
    return started;
  }

  get port(): number {
    return this.#listener?.port ?? 0;
  }

  /** Without credentials, and with the name of a certificate's host for TLS. */
  get connectionString(): string {
    return this.#tls ? `esdb://localhost:${this.port}?tls=true` : `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Ends every call at once, as a server does on SIGTERM. */
  stop(): void {
    this.cluster.stop();
    this.#listener?.stop();
    this.#relay?.stop();
    this.#server.forceShutdown();
    this.#log.close();
  }
}

const STREAMS = 'event_store.client.streams.streams';
const RECORDS = 'kurrentdb.protocol.v2.streams.streamsservice';

/** In lower case, as the servers tell them. */
const supportedMethods = ({ version, appendsRecords }: Behaviour) => {
  const message = new features.SupportedMethods();
  message.setEventStoreServerVersion(`${version}-grpc-test-server`);
  const methods = ['read', 'append', 'batchappend', 'delete', 'tombstone'].map((name) => [STREAMS, name] as const);
  for (const [service, name] of [...methods, ...(appendsRecords ? [[RECORDS, 'appendrecords'] as const] : [])]) {
    const method = new features.SupportedMethod();
    method.setServiceName(service);
    method.setMethodName(name);
    message.addMethods(method);
  }
  return message;
};
