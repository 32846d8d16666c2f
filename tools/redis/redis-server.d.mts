export declare class RedisServer {
  static open(options: { readonly directory: string; readonly port?: number }): Promise<RedisServer>;
  /** For REDIS_URL. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  wipe(): Promise<void>;
  remove(): Promise<void>;
}
