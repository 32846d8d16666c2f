/** Specification, "Limits". Configuration; in milliseconds. */
export interface Lifetimes {
  readonly session: number;
  readonly pushSession: number;
  readonly code: number;
  readonly handoff: number;
}

/** The specification's defaults. */
export const LIFETIMES: Lifetimes = { session: 120_000, pushSession: 300_000, code: 60_000, handoff: 60_000 };
