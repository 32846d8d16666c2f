import { setTimeout as wait } from 'node:timers/promises';

import { encode, send } from './cluster-messages.js';
import type { Member, Replication, ReplicationReply, Role, VoteRequest } from './cluster-protocol.js';
import { ClusterWrites, type Forwarded } from './cluster-writes.js';
import { Followers } from './followers.js';
import { listens } from './listens.js';
import type { Log } from './log.js';
import { ANY } from './log-entries.js';

/** Milliseconds between two checks of the others. */
const TICK = 100;
/** After which silence a leader counts as frozen: the others of a real cluster elected after 6.6–7.5 s. */
const FROZEN_AFTER = 7_000;
/** After which gossip calls a silent leader dead. */
const SUSPECT_AFTER = 2_500;
/** For how long a leader goes on without hearing from most of the nodes. Less than the others wait, so that there are never two. */
const LEASE = 5_000;
/** How long the others wait after a leader's end before they elect: a real cluster was silent for 1.5–1.8 s. */
const ELECT_AFTER_END = 1_000;
const REPLY_TIMEOUT = 1_000;
/** How long a node that has resigned does not stand again. */
const RESIGNED_FOR = 10_000;

/**
 * A node among others on this machine, in the manner of Raft (Ongaro and Ousterhout, 2014): the leader's log is the one that counts, a write
 * is acknowledged when most of the nodes have stored it, and the nodes elect the one whose log is the longest. Without others it leads alone.
 */
export class Cluster {
  readonly writes: ClusterWrites;
  #ports: readonly number[] = [];
  #role: Role = 'leader';
  #epoch = 0n;
  #leader: number | undefined;
  #followers: Followers | undefined;
  /** The start of the leader's epoch in its log: until that is committed, it does not know which earlier entries are. */
  #epochStart = 0n;
  #heardAt = 0;
  #electAt = 0;
  #standsAgainAt = 0;
  #electing = false;
  #stopped = false;
  readonly #silent = new Set<number>();

  constructor(
    private readonly log: Log,
    private readonly self: () => number,
  ) {
    this.writes = new ClusterWrites(log, this);
  }

  /** Takes part in the cluster of the nodes on these ports, this one among them. */
  join(ports: readonly number[]): void {
    this.#ports = ports;
    this.#role = 'follower';
    this.#epoch = this.log.number('epoch');
    this.#heardAt = performance.now();
    this.#electAt = performance.now() + 200 + Math.random() * 600;
    this.log.joinCluster();
    void this.#watch();
  }

  get port(): number {
    return this.self();
  }

  /** Whether this node knows the content of the cluster. */
  get leads(): boolean {
    if (this.#ports.length === 0) return true;
    return this.#role === 'leader' && this.#holdsLease() && this.log.committed >= this.#epochStart;
  }

  /** Whether the node's own log takes its writes. */
  get writesItself(): boolean {
    return this.#ports.length === 0 || (this.#role === 'leader' && this.#holdsLease());
  }

  /** The leader as far as this node knows. */
  get leader(): number | undefined {
    return this.#role === 'leader' ? this.self() : this.#leader;
  }

  get members(): readonly Member[] {
    if (this.#ports.length === 0) return [{ port: this.self(), role: 'leader', isAlive: true }];
    return this.#ports.map((port) => {
      if (port === this.self()) return { port, role: this.#role === 'leader' && !this.leads ? 'candidate' : this.#role, isAlive: true };
      const isAlive = !this.#silent.has(port) && !(port === this.#leader && performance.now() - this.#heardAt > SUSPECT_AFTER);
      return { port, role: port === this.leader ? 'leader' : 'follower', isAlive };
    });
  }

  /** The leader resigns, and the other nodes elect a new one at once. */
  resign(): void {
    if (this.#role !== 'leader' || this.#ports.length === 0) return;
    this.#standsAgainAt = performance.now() + RESIGNED_FOR;
    this.#stepDown(undefined);
    for (const port of this.#others()) send(port, '/cluster/resigned', this.#epoch, REPLY_TIMEOUT).catch(() => undefined);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Answers a message of another node; nothing when there is no such message. */
  async receive(path: string, message: unknown): Promise<string | undefined> {
    switch (path) {
      case '/cluster/vote':
        return encode(this.#vote(message as VoteRequest));
      case '/cluster/replicate':
        return encode(this.#replicate(message as Replication));
      case '/cluster/resigned':
        this.#leader = undefined;
        this.#electAt = performance.now() + Math.random() * 300;
        return encode({});
      case '/cluster/forward':
        return encode(await this.writes.take(message as Forwarded));
      default:
        return undefined;
    }
  }

  #others(): readonly number[] {
    return this.#ports.filter((port) => port !== this.self());
  }

  #isMajority(nodes: number): boolean {
    return nodes > this.#ports.length / 2;
  }

  #holdsLease(): boolean {
    return this.#isMajority(1 + (this.#followers?.heardSince(performance.now() - LEASE) ?? 0));
  }

  async #watch(): Promise<void> {
    for (; !this.#stopped; await wait(TICK)) {
      const now = performance.now();
      if (this.#role === 'leader') {
        if (!this.#holdsLease()) this.#stepDown(undefined);
        continue;
      }
      await Promise.all(
        this.#others().map(async (port) => {
          if (await listens(port)) this.#silent.delete(port);
          else this.#silent.add(port);
        }),
      );
      if (this.#leader !== undefined && this.#silent.has(this.#leader)) {
        this.#leader = undefined;
        this.#electAt = now + ELECT_AFTER_END + Math.random() * 400;
      }
      if (this.#leader !== undefined && now - this.#heardAt > FROZEN_AFTER) {
        this.#leader = undefined;
        this.#electAt = now + Math.random() * 400;
      }
      if (this.#leader === undefined && now >= this.#electAt && now >= this.#standsAgainAt && !this.#electing) await this.#elect();
    }
  }

  async #elect(): Promise<void> {
    this.#electing = true;
    const epoch = this.#epoch + 1n;
    if (await this.#isElected(epoch, true)) {
      this.#role = 'candidate';
      this.#enter(epoch, this.self());
      const isElected = await this.#isElected(epoch, false);
      if (isElected && this.#epoch === epoch && this.#role === 'candidate' && !this.#stopped) this.#lead();
    }
    this.#electing = false;
    if (this.#role === 'leader') return;
    this.#role = 'follower';
    this.#electAt = performance.now() + 150 + Math.random() * 450;
  }

  async #isElected(epoch: bigint, isProbe: boolean): Promise<boolean> {
    const request: VoteRequest = { epoch, candidate: this.self(), last: this.log.lastEntry(), isProbe };
    const votes = await Promise.all(
      this.#others().map((port) => send<{ granted: boolean }>(port, '/cluster/vote', request, 500).catch(() => ({ granted: false }))),
    );
    return this.#isMajority(1 + votes.filter(({ granted }) => granted).length);
  }

  #lead(): void {
    const { position } = this.log.lastEntry();
    this.#role = 'leader';
    this.#leader = this.self();
    this.#epochStart = position + 1n;
    const epoch = this.#epoch;
    this.#followers = new Followers(this.log, this.#others(), {
      epoch,
      leader: this.self(),
      epochStart: this.#epochStart,
      goesOn: () => this.#role === 'leader' && this.#epoch === epoch && !this.#stopped,
      end: () => {
        if (this.#epoch === epoch) this.#stepDown(undefined);
      },
    });
    this.log.lead(this.#epoch);
    const data = Buffer.from(JSON.stringify({ EpochNumber: Number(this.#epoch), LeaderPort: this.self() }));
    const event = { id: crypto.randomUUID(), type: '$epoch-information', isJson: true, data, customMetadata: Buffer.alloc(0) };
    this.log.append('$epoch-information', ANY, [event], () => undefined);
    this.#followers.start();
  }

  #stepDown(leader: number | undefined): void {
    this.#role = 'follower';
    this.#leader = leader;
    this.#heardAt = performance.now();
    this.#electAt = performance.now() + 300 + Math.random() * 600;
    this.log.yieldLead();
  }

  #enter(epoch: bigint, votedFor: number): void {
    this.#epoch = epoch;
    this.log.keepNumber('epoch', epoch);
    this.log.keepNumber('voted for', BigInt(votedFor));
  }

  #vote({ epoch, candidate, last, isProbe }: VoteRequest): { granted: boolean } {
    const hasLeader = this.#role === 'leader' ? this.#holdsLease() : this.#leader !== undefined;
    if (hasLeader || epoch <= this.#epoch) return { granted: false };
    const own = this.log.lastEntry();
    const isBehind = last.epoch < own.epoch || (last.epoch === own.epoch && last.position < own.position);
    if (isProbe) return { granted: !isBehind };
    if (this.#role === 'leader') this.#stepDown(undefined);
    this.#role = 'follower';
    this.#enter(epoch, isBehind ? 0 : candidate);
    if (!isBehind) this.#electAt = performance.now() + 1_000 + Math.random() * 500;
    return { granted: !isBehind };
  }

  #replicate({ epoch, leader, previous, rows, committed }: Replication): ReplicationReply {
    if (epoch < this.#epoch) return { epoch: this.#epoch, holds: false, last: 0n };
    if (epoch > this.#epoch) this.#enter(epoch, 0);
    if (this.#role === 'leader') this.#stepDown(leader);
    this.#role = 'follower';
    this.#leader = leader;
    this.#heardAt = performance.now();
    if (previous.position > 0n && !this.log.holds(previous)) return { epoch, holds: false, last: this.log.entryBefore(previous.position).position };
    const differs = rows.length > 0 ? rows.some((row) => !this.log.holds(row)) : false;
    if (differs) this.log.replaceAfter(previous.position, rows);
    const end = rows.at(-1)?.position ?? previous.position;
    this.log.commit(committed < end ? committed : end);
    return { epoch, holds: true };
  }
}
