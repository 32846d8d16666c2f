import { countAfter, MARK_CHECK_INTERVAL, SubscriptionRefused } from '#engines/event-store';
import { CHECKPOINT_INTERVAL } from '#engines/transparency-log';
import { pause, ServiceUnavailable } from '#kernel';

import type { EventRelayDependencies } from './event-relay-dependencies.js';
import type { Lease } from './lease.js';
import { LivePublication } from './live-publication.js';
import { RefillPublication } from './refill-publication.js';
import type { RelayLag } from './relay-lag.js';
import type { RelayTimes } from './relay-times.js';
import type { Progress } from './relay.decider.js';
import { reportLackingEvents } from './report-lacking-events.js';
import type { ServiceRetries } from './service-retries.js';
import { SessionsOnTopic } from './sessions-on-topic.js';
import { COMPONENT, TopicFeed } from './topic-feed.js';

/** Seconds. The missing events are counted only when the lag is longer. */
const COUNTED_LAG = 1;
/** The highest count. Counting reads the events, so it stops here. */
const MOST_COUNTED = 10_000;
/** Milliseconds for a count. */
const COUNT_TIME = 5_000;

export interface TermParts {
  readonly dependencies: EventRelayDependencies;
  readonly lease: Lease;
  readonly lag: RelayLag;
  readonly retries: ServiceRetries;
}

/** The work of a relay from taking the lease until it stops, fails or loses the lease. */
export class RelayTerm {
  readonly #feed: TopicFeed;
  readonly #live: LivePublication;
  readonly #refill: RefillPublication | undefined;

  /** Begins where the lease says that the last holder stopped. */
  constructor(
    private readonly parts: TermParts,
    private readonly times: RelayTimes,
  ) {
    const { lease, dependencies } = parts;
    const { position, reach, refill } = lease.state;
    this.#feed = new TopicFeed(dependencies, reach, times.retry);
    const lanes = { ...parts, feed: this.#feed, pace: times.pace, renew: () => this.#checkpoint() };
    const onTopic = refill && new SessionsOnTopic(dependencies.publication);
    this.#live = new LivePublication(lanes, position, onTopic);
    this.#refill = onTopic && new RefillPublication(lanes, this.#live, refill, onTopic);
  }

  /** The content of the topic. */
  get progress(): Progress {
    const refill = this.#refill?.left;
    return { position: this.#live.position, reach: this.#feed.reach, ...(refill && { refill }) };
  }

  /** Throws the reason of the signal, TopicLost, LeaseLost, CheckpointWentBack, SubscriptionRefused. Nothing is under way then. */
  async run(signal: AbortSignal): Promise<void> {
    const { lag, lease } = this.parts;
    lag.appended(lease.revision);
    const stop = new AbortController();
    const ended = AbortSignal.any([signal, stop.signal]);
    const tasks = [
      this.#every(this.times.checkpoint, () => this.#checkpoint(), ended),
      this.#every(this.times.topicCheck, () => this.#feed.lookAtTopic(), ended),
      this.#every(this.times.count, () => this.#count(ended), ended),
      this.#writeMarks(ended),
      this.#writeCheckpoints(ended),
      this.parts.dependencies.auditForwarding?.run(ended) ?? Promise.resolve(),
      this.#relay(ended),
    ];
    await Promise.all(tasks.map((task) => task.catch((error: unknown) => stop.abort(error))));
    ended.throwIfAborted();
  }

  /** The first one at once: the last holder may have stopped long ago. Events are relayed also while no mark can be written. */
  async #writeMarks(signal: AbortSignal): Promise<void> {
    const { markWriter, log } = this.parts.dependencies;
    if (!markWriter) return;
    const write = (): Promise<void> =>
      markWriter.write(signal).catch((error: unknown) => {
        if (signal.aborted || error instanceof ServiceUnavailable) return;
        log.error('a mark of the event store was not written', { component: COMPONENT, error });
      });
    await write();
    await this.#every(MARK_CHECK_INTERVAL, write, signal);
  }

  async #writeCheckpoints(signal: AbortSignal): Promise<void> {
    const { checkpoints } = this.parts.dependencies;
    if (!checkpoints) return;
    const write = (): Promise<void> => checkpoints.write(signal);
    await write();
    await this.#every(CHECKPOINT_INTERVAL, write, signal);
  }

  async #relay(signal: AbortSignal): Promise<void> {
    const { dependencies, retries } = this.parts;
    const { reach } = this.#feed;
    await retries.untilAvailable(() => this.#feed.ensureTopic(), signal);
    const comparison = reportLackingEvents(dependencies, reach, this.times.topicCheck, signal);
    await Promise.all([this.#live.run(signal), this.#refillTopic(signal), comparison]);
  }

  async #refillTopic(signal: AbortSignal): Promise<void> {
    await this.#refill?.run(signal);
    this.#live.endRefill();
  }

  async #checkpoint(): Promise<void> {
    const { lease, lag } = this.parts;
    try {
      lag.appended(await lease.checkpoint(this.progress));
    } finally {
      lag.report();
    }
  }

  /** Counts the events that the topic lacks, while it lags. Ignores a position that the store refuses, since the relaying meets the same error. */
  async #count(ended: AbortSignal): Promise<void> {
    const { dependencies, lag } = this.parts;
    const { eventStore, publication } = dependencies;
    if (lag.seconds <= COUNTED_LAG) return lag.counted(0);
    const after = BigInt(this.#live.position);
    const signal = AbortSignal.any([ended, AbortSignal.timeout(COUNT_TIME)]);
    const events = await countAfter(eventStore, { after, categories: publication.categories, most: MOST_COUNTED, signal }).catch((error: unknown) => {
      if (!(error instanceof SubscriptionRefused)) throw error;
      return undefined;
    });
    if (events !== undefined) lag.counted(events);
  }

  /** Repeats a task beside the relaying. Its failure ends the term, except ServiceUnavailable, which the relaying meets itself. */
  async #every(milliseconds: number, task: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(milliseconds, signal);
      if (signal.aborted) return;
      await task().catch(unlessUnavailable);
    }
  }
}

const unlessUnavailable = (error: unknown): void => {
  if (!(error instanceof ServiceUnavailable)) throw error;
};
