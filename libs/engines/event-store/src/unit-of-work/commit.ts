import { type DomainEvent, inSpan, inSpanAfter, type Stored } from '#kernel';

import { appendSpan, streamAttributes } from '../append-span.js';
import {
  type AppendResult,
  categoryOf,
  type EventStore,
  type NewEvent,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
} from '../event-store.js';
import { BeginAgain } from './begin-again.js';
import { enveloped, extended } from './fold.js';
import type { LookProofs } from './look-proofs.js';
import type { AnyStreamInTry } from './stream-in-try.js';
import type { Loaded } from './stream-type.js';

/** Events that a work has decided on one stream, one decision or several in a row. */
export interface Decision {
  readonly stream: AnyStreamInTry;
  readonly events: DomainEvent[];
}

/** A stream to which the store has appended. */
export interface CommittedStream {
  readonly stream: AnyStreamInTry;
  readonly before: unknown;
  readonly after: Loaded<unknown, DomainEvent>;
}

/** Stores the decisions of a work, and tells `stored` of each stream as soon as it is. `loaded`: all streams of the work. */
export class Commit {
  constructor(
    private readonly store: EventStore,
    private readonly stored: (stored: CommittedStream) => void,
    private readonly proofs: LookProofs,
  ) {}

  /**
   * In one transaction, with the revisions of the streams that were only loaded. Where the store has none, one decision after the other. Throws what
   * {@link EventStore.append} throws, and {@link BeginAgain} when nothing would prove that a remembered state is current.
   */
  execute(decisions: readonly Decision[], loaded: readonly AnyStreamInTry[]): Promise<void> {
    const unchanged = loaded.filter((one) => !decisions.some(({ stream }) => stream === one));
    const followed = decisions.find(({ stream }) => stream.type.followsTrace)?.stream;
    const store = (): Promise<void> => this.#store(decisions, unchanged);
    return followed ? inTraceOf(followed.stream, followed.loaded.last, store) : store();
  }

  async #store(decisions: readonly Decision[], unchanged: readonly AnyStreamInTry[]): Promise<void> {
    const [first, ...others] = decisions;
    if (!first) return;
    if (others.length > 0 || unchanged.length > 0) {
      const { isStored, isLost } = await this.#together(joined(decisions), unchanged);
      if (isStored) return;
      if (unchanged.some(({ source, needsProof }) => source === 'remembered' && (needsProof || isLost))) throw new BeginAgain();
    }
    for (const decision of decisions) {
      const append = appendOf(decision);
      const { stream, expected, events } = append;
      const result = await inSpan(
        () => appendSpan([append]),
        () => this.store.append(stream, expected, events),
      );
      this.#note(decision, append, result);
    }
  }

  /** `isLost`: the work may have counted on a proof that the store does not give any more. */
  async #together(
    decisions: readonly Decision[],
    unchanged: readonly AnyStreamInTry[],
  ): Promise<{ readonly isStored: boolean; readonly isLost: boolean }> {
    const appends = decisions.map(appendOf);
    const revisions = unchanged.map(({ stream, loaded }): StreamRevision => ({ stream, expected: loaded.revision }));
    const results = await inSpan(
      () => appendSpan(appends),
      () => this.store.appendTogether(appends, revisions),
    );
    const isStored = results !== undefined;
    const { isLost } = this.proofs.note(isStored);
    results?.forEach((result, index) => this.#note(decisions[index] as Decision, appends[index] as StreamAppend, result));
    return { isStored, isLost };
  }

  #note({ stream }: Decision, { events }: StreamAppend, { revision, ids }: AppendResult): void {
    const appended = events.map((event, index): Stored<DomainEvent & NewEvent> => ({ ...event, id: ids[index] as string }));
    const { loaded, type } = stream;
    const after = extended(type, loaded, appended, revision);
    stream.settle(after);
    this.stored({ stream, before: loaded.state, after });
  }
}

/** Runs the work in the trace of the stream's last event, unless the caller has given a trace. */
const inTraceOf = <Result>(stream: StreamName, last: Loaded<unknown, DomainEvent>['last'], work: () => Result): Result =>
  inSpanAfter(
    last?.metadata?.traceparent,
    () => ({ name: `decide ${categoryOf(stream)}`, kind: 'internal', attributes: streamAttributes(stream) }),
    work,
  );

/** The decisions by stream, in the order in which the work has first decided on each. */
const joined = (decisions: readonly Decision[]): readonly Decision[] => {
  const byStream = new Map<AnyStreamInTry, DomainEvent[]>();
  for (const { stream, events } of decisions) byStream.set(stream, [...(byStream.get(stream) ?? []), ...events]);
  return [...byStream].map(([stream, events]) => ({ stream, events }));
};

const appendOf = ({ stream: { stream, type, loaded }, events }: Decision): StreamAppend => ({
  stream,
  expected: loaded.revision,
  events: enveloped(type, loaded.state, events),
});
