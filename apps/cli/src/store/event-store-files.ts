/** What the connection string of EventStoreDB leaves to files. */
export interface EventStoreFiles {
  readonly passwordFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}
