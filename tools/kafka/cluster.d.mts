export declare class KafkaCluster {
  static open(options: { readonly directory: string; readonly brokers?: number; readonly port?: number }): Promise<KafkaCluster>;
  /** `host:port` of each. */
  readonly brokers: readonly string[];
  readonly ids: readonly number[];
  start(ids?: readonly number[]): Promise<void>;
  stop(ids?: readonly number[]): Promise<void>;
  kill(ids?: readonly number[]): Promise<void>;
  wipe(ids?: readonly number[]): Promise<void>;
  remove(): Promise<void>;
}
