import type { DomainEvent } from '#kernel';

import {
  type AppendOptions,
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
  type ReadOptions,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
  WrongExpectedRevision,
} from '#engines/event-store';
import { ForwardingEventStore } from '#engines/event-store';

/** A store that counts its calls and fails on request. */
export class ObservedStore extends ForwardingEventStore {
  readonly reads: StreamName[] = [];
  /** The streams of each append that was stored, and of each transaction. */
  readonly stored: (readonly StreamName[])[] = [];
  conflicts = 0;
  /** Runs before each append or transaction is stored: may append before it, or throw in its place. */
  before: (streams: readonly StreamName[]) => Promise<void> | void = () => undefined;

  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.store.recent<Event>(stream);
  }

  override read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    this.reads.push(stream);
    return options ? super.read<Event>(stream, options) : super.read<Event>(stream);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    await this.before([stream]);
    return this.#observed([stream], super.append(stream, expected, events, options));
  }

  override async appendTogether(
    appends: readonly StreamAppend[],
    unchanged?: readonly StreamRevision[],
  ): Promise<readonly AppendResult[] | undefined> {
    const streams = appends.map(({ stream }) => stream);
    // A store without transactions is asked in vain, before it stores anything.
    if ((await this.store.appendTogether([])) === undefined) return undefined;
    await this.before(streams);
    return this.#observed(streams, super.appendTogether(appends, unchanged));
  }

  async #observed<Result>(streams: readonly StreamName[], stored: Promise<Result>): Promise<Result> {
    try {
      const result = await stored;
      this.stored.push(streams);
      return result;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) this.conflicts += 1;
      throw error;
    }
  }
}
