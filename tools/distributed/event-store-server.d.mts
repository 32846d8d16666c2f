/** The gRPC test server, which stands in for EventStoreDB where none can be installed, as a process that can be killed and started again. */
export declare class GrpcTestServer {
  constructor(directory: string);
  /** A connection string. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** An EventStoreDB that somebody else runs, ended and started by the shell commands of ESDB_STOP and ESDB_START. */
export declare class ForeignEventStore {
  constructor(environment: Readonly<Record<string, string | undefined>>);
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}
