/** Paths of the files with the password, CA, certificate and key that the connection string of EventStoreDB does not contain. */
export interface EventStoreFiles {
  readonly passwordFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}
