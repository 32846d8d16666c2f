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
  | { readonly result: 'success'; readonly revision: bigint; readonly position: bigint | undefined; readonly stored?: readonly Stored[] }
  | { readonly result: 'wrong-expected-version'; readonly current: bigint }
  | { readonly result: 'stream-deleted' }
  | { readonly result: 'not-leader' }
  | { readonly result: 'pending' };

/** The first of the events that an append has stored in a stream; a repetition stores none. */
export interface Stored {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
}

/** Events of several streams, in their order, and the states in which streams have to be. The checks come first; every stream of an event has one. */
export interface RecordsWrite {
  readonly checks: readonly { readonly stream: string; readonly expected: bigint }[];
  readonly records: readonly { readonly check: number; readonly event: ProposedEvent }[];
}

/** The end of a {@link RecordsWrite}. */
export type RecordsOutcome =
  | {
      readonly result: 'success';
      /** The last event of each stream that was written, by the index of its check. */
      readonly revisions: ReadonlyMap<number, bigint>;
      readonly position: bigint;
      readonly stored: readonly Stored[];
    }
  | { readonly result: 'violated'; readonly violations: readonly { readonly check: number; readonly actual: bigint }[] }
  | { readonly result: 'not-leader' }
  | { readonly result: 'pending' };

export type AnyOutcome = Outcome | RecordsOutcome;

/** A write that waits for the next flush. */
export interface Work {
  readonly run: () => AnyOutcome;
  readonly answer: (outcome: AnyOutcome) => void;
}

/** A write that is on disk and waits until it is committed. */
export interface Waiting {
  readonly position: bigint;
  readonly outcome: AnyOutcome;
  readonly answer: (outcome: AnyOutcome) => void;
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
