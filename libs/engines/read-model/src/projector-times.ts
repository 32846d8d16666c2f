/** Milliseconds. */
export interface ProjectorTimes {
  /** Between two signs of life of the process that writes. */
  readonly beat: number;
  /** A waiting process takes over when the sign of life has not changed for this time, by its own clock. */
  readonly takeOver: number;
  /** Between two looks of a waiting process at the one that writes. A read waits two seconds for its own appends: the next process begins sooner. */
  readonly watch: number;
  /** Between two tries after a failure. */
  readonly retry: number;
  /** Between two checks whether the store still has the events that the bus has brought. */
  readonly look: number;
  /** Time between two counts of the waiting events. */
  readonly count: number;
}

export const TIMES: ProjectorTimes = { beat: 2_000, takeOver: 10_000, watch: 1_000, retry: 500, look: 10_000, count: 15_000 };
