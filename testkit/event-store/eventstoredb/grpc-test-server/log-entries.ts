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

/**
 * `pending`: a repetition of an append that is not on disk yet; it gets no answer and so runs into its time-out. `not-leader`: the node has lost
 * the lead before enough others had stored the write; it may be stored or not.
 */
export type Outcome =
  | { readonly result: 'success'; readonly revision: bigint; readonly position: bigint | undefined; readonly stored?: Stored }
  | { readonly result: 'wrong-expected-version'; readonly current: bigint }
  | { readonly result: 'stream-deleted' }
  | { readonly result: 'not-leader' }
  | { readonly result: 'pending' };

/** The first of the events that an append has stored; a repetition stores none. */
export interface Stored {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
}

/** Takes writes: the log itself, or a node of a cluster, which hands them on to the leader. */
export interface Writes {
  append(stream: string, expected: bigint, events: readonly ProposedEvent[], answer: (outcome: Outcome) => void): void;
  delete(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void;
  tombstone(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void;
}

export interface StreamSelection {
  readonly stream: string;
  readonly backwards: boolean;
  readonly from: bigint;
  readonly limit: bigint;
}

export interface StreamPage {
  readonly events: readonly StoredEvent[];
  /** The last revision that reads know, also when that event has expired. */
  readonly last: bigint;
}
