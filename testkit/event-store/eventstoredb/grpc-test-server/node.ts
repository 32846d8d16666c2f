import type { Access } from './access.js';
import type { Cluster } from './cluster.js';
import type { Behaviour } from './dialect.js';
import type { Faults } from './faults.js';
import type { Log } from './log.js';
import type { Writes } from './log-entries.js';

/** The parts that the calls of one node use. */
export interface Node {
  readonly log: Log;
  /** The log, or the way to the leader's. */
  readonly writes: Writes;
  readonly cluster: Cluster;
  readonly faults: Faults;
  readonly access: Access;
  readonly behaviour: Behaviour;
}
