import type { EventStoreDBClient } from '@eventstore/db-client';
import { RefusalReport } from '#engines/access';
import { type Clock, type Pause, retry, TimedOut, within, withinSilence } from '#kernel';

import { closeClient, gossipOf, type GossipedNode, openClient } from './client.js';
import { type EventStoreDbAccess, versionOf, withAccess } from './eventstoredb-access.js';
import { failureOf } from './failure.js';
import { type Target, targetOf } from './target.js';

/** Milliseconds after which a silent node counts as frozen. A healthy server was seen to stall for up to 1 s. */
export const SILENCE = 2_000;
/** Milliseconds for one node to describe the cluster. */
const GOSSIP_TIMEOUT = 1_000;
/** Milliseconds to find the leader; an election takes up to 8 s, so a caller may have to try again. */
const DISCOVERY_TIMEOUT = 5_000;
const DISCOVERY_PAUSE = 200;
const RETRY_PAUSE = 100;
/** Between two checks whether the node that events come from still answers and leads. */
const WATCH_INTERVAL = 1_000;
const CLOSE_TIMEOUT = 1_000;

export interface ConnectionOptions {
  /** `esdb://` or `esdb+discover://`, with one host or several. */
  readonly connectionString: string;
  readonly access?: EventStoreDbAccess | undefined;
  /** Called with a line for the log when the server refuses this service; the line says what to look at. */
  readonly refused?: ((reason: string) => void) | undefined;
  readonly clock: Clock;
  readonly pause: Pause;
}

export interface CallLimits {
  /** Milliseconds for the call with all its repetitions. */
  readonly budget: number;
  /** Milliseconds of silence after which one try on a cluster has failed; with one node only, the budget holds. */
  readonly silence: number;
}

/**
 * The way to the node that leads. A node that does not answer is left: all calls on it end, and the next call goes to the node that says of
 * itself that it leads. All known nodes are asked side by side, so that a frozen one delays nothing. The client's own discovery asks one
 * after the other, takes one node's word for the others, and keeps a channel to a frozen node (docs/adr/0007).
 */
export class Connection {
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #pause: Pause;
  readonly #closed = new AbortController();
  /** The seeds, and every node that another one has named. */
  readonly #hosts: Set<string>;
  #current: Promise<EventStoreDBClient> | undefined;
  #client: EventStoreDBClient | undefined;
  #host: string | undefined;
  readonly #left = new WeakMap<EventStoreDBClient, AbortController>();
  readonly #access: EventStoreDbAccess;
  readonly #refusals: RefusalReport;
  /** Of the files when the present client was opened. */
  #version: string | undefined;
  #watchers = 0;
  #interruptions = 0;

  /** Connects with the first call. Throws when the connection string is none. */
  constructor({ connectionString, access = {}, refused, clock, pause }: ConnectionOptions) {
    openClient(withAccess(connectionString, access));
    this.#access = access;
    this.#refusals = new RefusalReport('ESDB', (reason) => refused?.(reason));
    this.#target = targetOf(connectionString, access);
    this.#hosts = new Set(this.#target.seeds);
    this.#clock = clock;
    this.#pause = pause;
  }

  /** How often calls have failed, or a node was left, so that another copy of the store may answer from then on. */
  get interruptions(): number {
    return this.#interruptions;
  }

  /** The client for the node that leads. Rejects when no node says so in time. */
  client(): Promise<EventStoreDBClient> {
    this.#current ??= this.#open();
    return this.#current;
  }

  /**
   * Runs a call that may be repeated. On a cluster it is repeated, within the budget, when its node does not answer, is gone or does not
   * lead any more. The call notes each sign of life. Throws the error of the last try.
   */
  async run<Result>(call: (client: EventStoreDBClient, alive: () => void) => Promise<Result>, { budget, silence }: CallLimits): Promise<Result> {
    const giveUpAt = this.#clock.monotonic() + budget;
    const rest = (): number => Math.max(1, giveUpAt - this.#clock.monotonic());
    let client: EventStoreDBClient | undefined;
    let renewed = false;
    const attempt = async (): Promise<Result> => {
      client = undefined;
      const used = (client = this.#client ?? (await within(rest(), this.client())));
      const work = (alive: () => void): Promise<Result> => unlessAborted(this.left(used), call(used, alive));
      // With one node only, the budget ends before any silence does.
      const answer = await within(rest(), this.#target.isCluster ? withinSilence(silence, work) : work(() => undefined));
      this.#refusals.succeeded();
      return answer;
    };
    const when = (error: unknown): boolean => {
      this.#refusals.failed(error);
      renewed = client !== undefined && this.#renew(client, error);
      if (renewed) return true;
      const failure = failureOf(error);
      if (failure !== 'unavailable' && failure !== 'not-leader') return false;
      if (client) this.failed(client, error);
      return (this.#target.isCluster || failure === 'not-leader') && !this.#closed.signal.aborted;
    };
    const waits = (): number | undefined => (rest() <= RETRY_PAUSE ? undefined : renewed ? 0 : RETRY_PAUSE);
    return retry(attempt, { waits, when, pause: this.#pause });
  }

  /** Notes that a call on the client has failed, and leaves the node when the node caused the failure. */
  failed(client: EventStoreDBClient, error: unknown): void {
    this.#refusals.failed(error);
    this.#interruptions += 1;
    if (this.#renew(client, error)) return;
    if (error instanceof TimedOut || ['unavailable', 'not-leader'].includes(failureOf(error))) this.leave(client);
  }

  /**
   * Ends all calls on the client's node, unless the node was left before. A single node is never left: that would end every other call on a
   * node that is only slow, and the client itself connects again once its channel has ended.
   */
  leave(client: EventStoreDBClient): void {
    if (client === this.#client && this.#target.isCluster) this.#drop(client);
  }

  /** Leaves a client that failed and that was opened before a file of its credentials or certificates changed. Answers whether it did. */
  #renew(client: EventStoreDBClient, error: unknown): boolean {
    if (client !== this.#client || !['unavailable', 'access-denied'].includes(failureOf(error)) || versionOf(this.#access) === this.#version)
      return false;
    this.#drop(client);
    return true;
  }

  #drop(client: EventStoreDBClient): void {
    this.#interruptions += 1;
    this.#current = undefined;
    this.#client = undefined;
    this.#host = undefined;
    this.#left.get(client)?.abort(new Error('the node was left'));
    void close(client);
  }

  /** A signal that aborts when the connection leaves the client's node: the client ends some of its calls without an error then. */
  left(client: EventStoreDBClient): AbortSignal {
    return this.#left.get(client)?.signal ?? AbortSignal.abort(new Error('the node was left'));
  }

  /** Checks once a second, until the returned function is called, that the node of the subscriptions answers and leads; leaves it if not. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1 && this.#target.isCluster) void this.#watch();
    return () => void (this.#watchers -= 1);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const client = this.#client;
    this.#client = undefined;
    if (client) await close(client);
  }

  async #open(): Promise<EventStoreDBClient> {
    try {
      const host = this.#target.isCluster ? await this.#leader() : this.#target.seeds[0]!;
      this.#host = host;
      this.#version = versionOf(this.#access);
      this.#client = openClient(this.#target.of(host));
      this.#left.set(this.#client, new AbortController());
      return this.#client;
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
  }

  async #leader(): Promise<string> {
    const giveUpAt = this.#clock.monotonic() + DISCOVERY_TIMEOUT;
    while (!this.#closed.signal.aborted) {
      const leader = await this.#askAll();
      if (leader !== undefined) return leader;
      if (this.#clock.monotonic() >= giveUpAt) break;
      await this.#pause(DISCOVERY_PAUSE, this.#closed.signal);
    }
    throw new Error('no node of the cluster says that it leads');
  }

  /** The first node that says of itself that it leads; nothing when each has answered otherwise or not at all. */
  #askAll(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const asked = new Set<string>();
      let open = 0;
      const ask = async (host: string): Promise<void> => {
        asked.add(host);
        open += 1;
        const members = await this.#ask(host).catch(() => []);
        if (members.some((member) => member.host === host && member.leads)) resolve(host);
        for (const { host: other } of members) {
          this.#hosts.add(other);
          if (!asked.has(other)) void ask(other);
        }
        open -= 1;
        if (open === 0) resolve(undefined);
      };
      for (const host of this.#hosts) void ask(host);
    });
  }

  async #ask(host: string): Promise<readonly GossipedNode[]> {
    const client = openClient(this.#target.of(host));
    try {
      return await within(GOSSIP_TIMEOUT, gossipOf(client));
    } finally {
      void close(client);
    }
  }

  async #watch(): Promise<void> {
    while (this.#watchers > 0 && !this.#closed.signal.aborted) {
      await this.#pause(WATCH_INTERVAL, this.#closed.signal);
      const [client, host] = [this.#client, this.#host];
      if (!client) continue;
      const members = await within(SILENCE, gossipOf(client)).catch(() => undefined);
      const leads = members?.some((member) => member.host === host && member.leads);
      const otherLeads = members?.some((member) => member.host !== host && member.leads && member.isAlive);
      if (members === undefined || (!leads && otherLeads)) this.leave(client);
    }
  }
}

const unlessAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

const close = async (client: EventStoreDBClient): Promise<void> => {
  await within(CLOSE_TIMEOUT, closeClient(client)).catch(() => undefined);
};
