import { setTimeout as wait } from 'node:timers/promises';

import { send } from './cluster-messages.js';
import type { Replication, ReplicationReply } from './cluster-protocol.js';
import type { Log } from './log.js';

/** Milliseconds between two messages of an idle leader. */
const HEARTBEAT = 150;
const REPLY_TIMEOUT = 1_000;
const PAGE = 500n;

interface Follower {
  /** Up to which position it is known to hold the leader's log. */
  stored: bigint;
  heardAt: number;
}

/** The time for which a node leads. */
interface Leadership {
  readonly epoch: bigint;
  readonly leader: number;
  /** The start of the epoch in the leader's log. */
  readonly epochStart: bigint;
  readonly goesOn: () => boolean;
  /** A follower has answered from a later epoch. */
  readonly end: () => void;
}

/** The other nodes while this one leads: they get its log, and an entry that most of the nodes have stored is committed. */
export class Followers {
  readonly #followers: ReadonlyMap<number, Follower>;

  constructor(
    private readonly log: Log,
    ports: readonly number[],
    private readonly leadership: Leadership,
  ) {
    const { position } = log.lastEntry();
    this.#followers = new Map(ports.map((port) => [port, { stored: position, heardAt: performance.now() }]));
  }

  start(): void {
    for (const [port, follower] of this.#followers) void this.#feed(port, follower);
  }

  /** How many have answered since then. */
  heardSince(time: number): number {
    return [...this.#followers.values()].filter(({ heardAt }) => heardAt > time).length;
  }

  /** Sends a follower the leader's log, as long as the leader leads in this epoch. */
  async #feed(port: number, follower: Follower): Promise<void> {
    const { epoch, leader, goesOn, end } = this.leadership;
    let previous = this.log.entryBefore(follower.stored + 1n);
    let held = false;
    while (goesOn()) {
      const rows = held ? this.log.rowsAfter(previous.position, PAGE) : [];
      const message: Replication = { epoch, leader, previous, rows, committed: this.log.committed };
      const reply = await send<ReplicationReply>(port, '/cluster/replicate', message, REPLY_TIMEOUT).catch(() => undefined);
      if (reply === undefined) {
        await wait(HEARTBEAT);
        continue;
      }
      if (reply.epoch > epoch) return end();
      if (!goesOn()) return;
      follower.heardAt = performance.now();
      held = reply.holds;
      if (reply.holds) {
        previous = rows.at(-1) ?? previous;
        follower.stored = previous.position;
        this.#commit();
      } else previous = this.log.entryBefore(reply.last < previous.position ? reply.last + 1n : previous.position);
      if (held && this.log.lastEntry().position === previous.position) await this.#changeOrHeartbeat();
    }
  }

  #changeOrHeartbeat(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, HEARTBEAT);
      const stop = this.log.onChange(done);
      function done(): void {
        clearTimeout(timer);
        stop();
        resolve();
      }
    });
  }

  #commit(): void {
    const stored = [this.log.lastEntry().position, ...[...this.#followers.values()].map((follower) => follower.stored)];
    const byMost = stored.toSorted((a, b) => (a < b ? 1 : -1))[Math.floor(stored.length / 2)]!;
    // An entry of an earlier leader is committed only together with one of this leader's (Raft §5.4.2).
    if (byMost >= this.leadership.epochStart) this.log.commit(byMost);
  }
}
