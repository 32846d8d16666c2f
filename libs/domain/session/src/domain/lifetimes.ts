/** The configurable times of a session, in milliseconds (specification/sessions.md#lifetimes). */
export interface Lifetimes {
  readonly session: number;
  readonly pushSession: number;
  readonly code: number;
  readonly handoff: number;
  /** How long building the container may take, from the user's approval on. */
  readonly signingBuild: number;
  /** How long the result of a signature can be fetched. */
  readonly result: number;
  /** How long a session is stored after its end. */
  readonly record: number;
}

/** The specification's defaults. */
export const LIFETIMES: Lifetimes = {
  session: 120_000,
  pushSession: 300_000,
  code: 60_000,
  handoff: 60_000,
  signingBuild: 60_000,
  result: 1_800_000,
  record: 2_592_000_000,
};
