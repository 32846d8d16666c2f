export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly customMetadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: bigint;
  /** Epoch milliseconds. */
  readonly at: number;
}

export const NO_STREAM = -1n;
export const ANY = -2n;
export const STREAM_EXISTS = -4n;

/** `pending`: a repetition of what is not on disk yet; nobody answers it, so that it runs into its time-out. */
export type Outcome =
  | { readonly result: 'success'; readonly revision: bigint; readonly position: bigint }
  | { readonly result: 'wrong-expected-version'; readonly current: bigint }
  | { readonly result: 'stream-deleted' }
  | { readonly result: 'pending' };

export interface StreamSelection {
  readonly stream: string;
  readonly backwards: boolean;
  readonly from: bigint;
  readonly limit: bigint;
}
