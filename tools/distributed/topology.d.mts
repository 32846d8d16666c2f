import type { KafkaCluster } from '../kafka/cluster.mjs';
import type { RedisServer } from '../redis/redis-server.mjs';

export interface ServiceReplica {
  readonly name: string;
  /** Its name and number, as in `session-api-1`. */
  readonly label: string;
  readonly url: string;
  /** The file that it writes its log to. */
  readonly log: string;
  /** What its last process ended with: null while that runs, and when a signal ended it. */
  readonly exitCode: number | null;
  /** What it is started with; the next start takes what is set here. */
  environment: Record<string, string>;
  /** Starts it, again on what it left behind, and resolves when it is ready. */
  start(): Promise<void>;
  /** SIGTERM: it finishes what is under way. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP, until {@link resume}. */
  freeze(): void;
  resume(): void;
}

export interface EventStoreServer {
  /** False where the gRPC test server stands in for EventStoreDB. */
  readonly isReal: boolean;
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Two more replicas of some services with settings of their own, on the same engines and keys, behind a gateway of their own; all other services are the topology's. */
export interface Fork {
  /** Its API. */
  readonly url: string;
  /** Starts the replicas that do not run, perhaps with other settings. */
  restart(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** SIGTERM to the replicas. */
  stop(): Promise<void>;
}

export declare class Topology {
  constructor(options: {
    readonly directory: string;
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly settings?: Readonly<Record<string, string>>;
    readonly ports?: { readonly api: number; readonly login: number; readonly phone: number };
    readonly brokers?: number;
  });
  readonly directory: string;
  /** What all services are started with. */
  readonly settings: Readonly<Record<string, string>>;
  readonly replicas: readonly ServiceReplica[];
  readonly store: EventStoreServer;
  /** Undefined where the environment names another. */
  readonly kafka: KafkaCluster | undefined;
  readonly redis: RedisServer | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  of(name: string): readonly ServiceReplica[];
  fork(options: { readonly name: string; readonly settings: Readonly<Record<string, string>>; readonly services: readonly string[] }): Promise<Fork>;
}
