import type { LogEntry, LogRow } from './log-rows.js';

export type Role = 'leader' | 'follower' | 'candidate';

export interface Member {
  readonly port: number;
  readonly role: Role;
  readonly isAlive: boolean;
}

/** A node asks for the vote of another one. */
export interface VoteRequest {
  /** Only asks how the other would vote, so that a node that was frozen or stopped does not disturb a leader (Ongaro, 2014, §9.6). */
  readonly isProbe: boolean;
  readonly epoch: bigint;
  readonly candidate: number;
  readonly last: LogEntry;
}

/** The leader sends a part of its log; without rows it says that it is there. */
export interface Replication {
  readonly epoch: bigint;
  readonly leader: number;
  /** The leader's entry before the rows: the follower must hold the same. */
  readonly previous: LogEntry;
  readonly rows: readonly LogRow[];
  readonly committed: bigint;
}

export type ReplicationReply =
  { readonly epoch: bigint; readonly holds: true } | { readonly epoch: bigint; readonly holds: false; readonly last: bigint };
