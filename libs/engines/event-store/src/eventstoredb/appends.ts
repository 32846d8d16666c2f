import type { Clock } from '#kernel';

import {
  type AppendResult,
  EventStoreUnavailable,
  type ExpectedRevision,
  NO_STREAM,
  type StreamName,
  WrongExpectedRevision,
} from '../event-store.js';
import { AppendChannel } from './append-channel.js';
import type { ProposedEvent } from './append-messages.js';
import type { Connection } from './connection.js';
import { unavailable } from './failure.js';
import { RecordsChannel } from './records-channel.js';
import type { RecordsRequest } from './records-messages.js';
import { APPEND_BUDGET, type Patience, settleAppend } from './settle-append.js';
import { settleRecords, StreamsChanged } from './settle-records.js';
import type { StoreHealth } from './store-health.js';
import { untilReadable } from './until-readable.js';

/** The appends of a store: each has an outcome within its budget, and a conflict is told when reads show its cause. */
export class Appends {
  readonly #channel: AppendChannel;
  readonly #records: RecordsChannel;
  readonly #clock: Clock;
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    private readonly connection: Connection,
    private readonly patience: Patience,
    private readonly health: () => Pick<StoreHealth, 'appendAnswered' | 'appendFailed'>,
  ) {
    this.#channel = new AppendChannel(connection, patience.randomness);
    this.#records = new RecordsChannel(connection);
    this.#clock = patience.clock;
  }

  /** To one stream. Throws what {@link EventStore.append} throws. */
  one(stream: StreamName, expected: ExpectedRevision, events: readonly ProposedEvent[], budget = APPEND_BUDGET): Promise<AppendResult> {
    return this.#run(budget, () => settleAppend({ channel: this.#channel, ...this.patience }, { stream, expected, events }, budget));
  }

  /** To several streams. Undefined where the server cannot. Throws what {@link EventStore.appendTogether} throws. */
  together(request: RecordsRequest): Promise<readonly AppendResult[] | undefined> {
    return this.#run(APPEND_BUDGET, () => settleRecords({ channel: this.#records, ...this.patience }, request));
  }

  /** Whether the server can append to several streams. Throws {@link EventStoreUnavailable}. */
  async canTogether(): Promise<boolean> {
    return this.#records.isSupported(APPEND_BUDGET).catch((error: unknown) => {
      throw unavailable('tell its features', error);
    });
  }

  /** Resolves when each that was begun has an outcome. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #run<Result>(budget: number, append: () => Promise<Result>): Promise<Result> {
    const running = this.#append(append, this.#clock.monotonic() + budget);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #append<Result>(append: () => Promise<Result>, giveUpAt: number): Promise<Result> {
    try {
      const result = await append();
      this.health().appendAnswered();
      return result;
    } catch (error) {
      if (error instanceof EventStoreUnavailable) this.health().appendFailed();
      else this.health().appendAnswered();
      const reader = { connection: this.connection, clock: this.#clock, pause: this.patience.pause };
      const changed = changedStreams(error).map(({ stream, revision }) => untilReadable(reader, stream, revision, giveUpAt));
      await Promise.all(changed);
      throw error;
    }
  }
}

/** The streams of a conflict, with the revision that the next read has to show. */
const changedStreams = (error: unknown): readonly { readonly stream: StreamName; readonly revision: number }[] => {
  if (!(error instanceof WrongExpectedRevision)) return [];
  const streams = error instanceof StreamsChanged ? error.violations : [error];
  return streams.flatMap(({ stream, actual }) => (actual === NO_STREAM || actual === 'tombstoned' ? [] : [{ stream, revision: actual }]));
};
