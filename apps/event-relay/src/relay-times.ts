import type { LeaseTimes } from './lease.js';

/** All in milliseconds. */
export interface RelayTimes extends LeaseTimes {
  /** Between two appends of the checkpoint. After a crash the relay repeats the events since the last one. */
  readonly checkpoint: number;
  /** Between two tries to take the lease or to reach an unavailable service. */
  readonly retry: number;
  /** Between two checks that the topic still holds the published events. */
  readonly topicCheck: number;
  /** Between the beginnings of two publications: the events of a busy time share them. An event after a pause is published at once. */
  readonly pace: number;
  /** Between two counts of the events that the topic lacks, while it lags. */
  readonly count: number;
}

/** The lease has to be renewed three times while it lasts. The checkpoint goes with it, so it costs no append of its own, however many events there are. */
export const relayTimes = ({ lease, horizon }: LeaseTimes): RelayTimes => ({
  lease,
  horizon,
  checkpoint: lease / 3,
  retry: 1_000,
  topicCheck: 10_000,
  pace: 25,
  count: 15_000,
});
