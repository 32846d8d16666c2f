export interface UpgradeOptions {
  readonly esdbUrl?: string;
  readonly dataDirectory: string;
  readonly keyDirectory: string;
}

export interface NotedUpgrade {
  readonly file: string;
  /** A position of the store. */
  readonly until: string;
}
