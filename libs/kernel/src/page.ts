export interface PageRequest<Id extends string> {
  /** At least 1. */
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: Id | undefined;
}

export interface Page<Entry, Id extends string> {
  readonly entries: readonly Entry[];
  /** The `after` of the next page; absent on the last page. */
  readonly next?: Id;
}
