import { DomainError, growing, inSpan, inTrace, type NewSpan, pause, RecentlyUsed, retry, ServiceUnavailable } from '#kernel';
import { incrementer, type Log, type Metrics } from '#telemetry';

import type { Arrival } from './arrival.js';
import { Attempt, LONGEST_WAIT } from './attempt.js';
import type { CloudEvent } from './cloud-event.js';
import { UNAVAILABLE_WAIT, type ConsumeOptions, RETRY_WAITS } from './message-bus.js';
import { type Channel, isPublication } from './channel.js';
import type { Publication } from './publication.js';

export interface HandoverParts extends Pick<ConsumeOptions, 'group' | 'types' | 'handler' | 'retryWaits' | 'unavailableWait'> {
  readonly publication: Publication | Channel;
  /** Default: {@link READ_WAITS}. */
  readonly readWaits?: readonly number[];
  /** The transport hands over each stored event once and in order, so neither repetitions nor gaps are looked for. Default: false. */
  readonly isGapless?: true;
  readonly log: Log;
  readonly metrics: Metrics;
}

type Outcome = 'handled' | 'ignored' | 'duplicate' | 'gap' | 'retried' | 'waited' | 'dead_letter' | 'redriven' | 'unknown';

interface LastMessage {
  readonly revision: number;
  /** Of the event. */
  readonly id: string;
}

/** Enough for the sessions of some minutes; about 100 bytes each. */
const SUBJECTS = 50_000;

/** Waits between reads that do not show the delivered message yet, in milliseconds: a second and a half in all. */
const READ_WAITS: readonly number[] = [50, 100, 200, 400, 800];

/** Processes a message from its arrival until the offset may move past it. The same for every transport. */
export class Handover {
  /** The last processed message of each subject. A subject that is no longer in this cache counts as new. */
  readonly #lastMessages = new RecentlyUsed<string, LastMessage>(SUBJECTS);
  readonly #types: ReadonlySet<string>;
  readonly #counts: Partial<Record<Outcome, () => void>> = {};

  constructor(private readonly parts: HandoverParts) {
    this.#types = new Set(parts.types);
  }

  /** Resolves when the message has been processed. Rejects only when its signal is aborted: the outcome is then unknown. */
  deliver(message: CloudEvent, arrival: Arrival): Promise<void> {
    const { publication } = this.parts;
    const refusal = publication.refuse(message);
    if (refusal !== undefined) {
      this.#count('unknown');
      return this.park(refusal, message, arrival);
    }
    return !isPublication(publication) || this.parts.isGapless ? this.#offer(message, arrival) : this.#deliverInOrder(publication, message, arrival);
  }

  async #deliverInOrder(publication: Publication, message: CloudEvent, arrival: Arrival): Promise<void> {
    const { subject, esrevision } = message;
    const last = this.#lastMessages.get(subject);
    if (last && esrevision <= last.revision && !(await this.#isOfAnotherHistory(publication, message, last, arrival)))
      return this.#count('duplicate');
    if (last && esrevision > last.revision + 1) await this.#fillGap(publication, message, last.revision + 1, arrival);
    await this.#handle(message, arrival);
  }

  /**
   * Whether the message is no repetition, although a message of its revision or a later one was processed: the store was restored from an older copy, where the subject went on
   * otherwise. The event of the message is in the store then, and that of the last message is not.
   */
  async #isOfAnotherHistory(
    publication: Publication,
    { subject, esrevision, id }: CloudEvent,
    last: LastMessage,
    arrival: Arrival,
  ): Promise<boolean> {
    if (esrevision === last.revision) return id !== last.id && (await this.#isStored(publication, subject, { revision: esrevision, id }, arrival));
    if (await this.#isStored(publication, subject, last, arrival)) return false;
    return this.#isStored(publication, subject, { revision: esrevision, id }, arrival);
  }

  async #isStored(publication: Publication, subject: string, { revision, id }: LastMessage, arrival: Arrival): Promise<boolean> {
    const stored = await untilAvailable(() => publication.messagesOf(subject, revision, revision), arrival);
    return stored.some((message) => message.esrevision === revision && message.id === id);
  }

  handles(type: string): boolean {
    return this.#types.has(type);
  }

  /** Counts a message of a type without a handler. */
  ignore(): void {
    this.#count('ignored');
  }

  /** The same for a dead letter that is handed over again: later messages of its subject may have been processed already. */
  async deliverAgain(message: CloudEvent, arrival: Arrival): Promise<void> {
    const refusal = this.parts.publication.refuse(message);
    if (refusal !== undefined) return this.park(refusal, message, arrival);
    this.#count('redriven');
    await this.#offer(message, arrival);
  }

  /** Stores a message that cannot be delivered as a dead letter, and tries until it is stored. */
  async park(reason: string, message: CloudEvent | undefined, arrival: Arrival): Promise<void> {
    await untilAvailable(
      () => arrival.park(reason, message),
      arrival,
      () => true,
    );
    this.#count('dead_letter');
    this.parts.log.error('message became a dead letter', { component: this.parts.group, reason, ...(message && { sessionId: message.subject }) });
  }

  async #fillGap(publication: Publication, next: CloudEvent, first: number, arrival: Arrival): Promise<void> {
    for (const message of await this.#missing(publication, next, first, arrival)) {
      this.#count('gap');
      await this.#handle(message, arrival);
    }
  }

  /**
   * The messages from `first` to the one before `next`, as far as they are still stored. The bus may be ahead of the reads of the store:
   * only a read that shows `next` too proves that the others were erased.
   */
  async #missing(publication: Publication, next: CloudEvent, first: number, arrival: Arrival): Promise<readonly CloudEvent[]> {
    const { readWaits = READ_WAITS } = this.parts;
    const { subject, esrevision } = next;
    for (let reads = 0; ; reads += 1) {
      const found = await untilAvailable(
        () => publication.messagesOf(subject, first, esrevision),
        arrival,
        (error) => isUnavailable(error) && this.#waits(next, error),
      );
      const missing = found.filter((message) => message.esrevision < esrevision);
      const wait = readWaits[reads];
      if (missing.length < found.length || missing.length === esrevision - first || wait === undefined) return missing;
      await pauseFor(wait, arrival);
    }
  }

  async #handle(message: CloudEvent, arrival: Arrival): Promise<void> {
    await this.#offer(message, arrival);
    this.#lastMessages.set(message.subject, { revision: message.esrevision, id: message.id });
  }

  #offer(message: CloudEvent, arrival: Arrival): Promise<void> {
    if (this.#types.has(message.type)) return this.#attempt(message, arrival);
    this.ignore();
    return Promise.resolve();
  }

  async #attempt(message: CloudEvent, arrival: Arrival): Promise<void> {
    const { retryWaits = RETRY_WAITS, unavailableWait = UNAVAILABLE_WAIT, log, group } = this.parts;
    const { signal, heartbeat } = arrival;
    if (heartbeat) await heartbeat();
    const waits = retryWaits.values();
    try {
      await retry((attempt) => this.#call(message, new Attempt(attempt, arrival)), {
        waits: (_, error) => (isUnavailable(error) ? unavailableWait : waits.next().value),
        exhausted: (error) => new Undeliverable(describe(error)),
        onRetry: (error, count) => {
          this.#count(isUnavailable(error) ? 'waited' : 'retried');
          log.warn('message failed', { component: group, sessionId: message.subject, count, error });
        },
        // A failure after the signal may come from the signal, and says nothing about the message.
        signal,
        pause: (milliseconds) => pauseFor(milliseconds, arrival),
      });
    } catch (error) {
      if (error instanceof Undeliverable) return this.park(error.message, message, arrival);
      throw error;
    }
    this.#count('handled');
  }

  #call(message: CloudEvent, context: Attempt): Promise<void> {
    const { handler } = this.parts;
    const span = (): NewSpan => spanOf(message, this.parts, context.attempt);
    return context.run(() => inTrace(message.traceparent, () => inSpan(span, () => handler(message, context))));
  }

  /** Counts and logs that the message waits for an engine. */
  #waits({ subject }: CloudEvent, error: unknown): true {
    const { group, log } = this.parts;
    this.#count('waited');
    log.warn('message waits for the messages before it', { component: group, sessionId: subject, error });
    return true;
  }

  #count(outcome: Outcome): void {
    const { publication, group, metrics } = this.parts;
    const increment = (this.#counts[outcome] ??= incrementer(metrics.busMessages, { topic: publication.topic, group, outcome }));
    increment();
  }
}

const spanOf = ({ type, subject, esrevision }: CloudEvent, { group, publication }: HandoverParts, attempt: number): NewSpan => ({
  name: `process ${type}`,
  kind: 'consumer',
  attributes: {
    'messaging.destination.name': publication.topic,
    'messaging.consumer.group.name': group,
    'countersign.session_id': subject,
    'countersign.revision': esrevision,
    'countersign.attempt': attempt,
  },
});

/** Repeats the work while `passes` says that its failure will pass. */
export const untilAvailable = <Result>(
  work: () => Promise<Result>,
  arrival: Pick<Arrival, 'signal' | 'heartbeat'>,
  passes: (error: unknown) => boolean = isUnavailable,
): Promise<Result> =>
  retry(work, {
    waits: growing({ first: 100, longest: LONGEST_WAIT }),
    when: passes,
    pause: (milliseconds) => pauseFor(milliseconds, arrival),
  });

/** The handler has failed too often. The message tells how. */
class Undeliverable extends Error {}

/** Rejects with the signal. */
const pauseFor = async (milliseconds: number, { signal, heartbeat }: Pick<Arrival, 'signal' | 'heartbeat'>): Promise<void> => {
  for (let left = milliseconds; left > 0; left -= LONGEST_WAIT) {
    await pause(Math.min(left, LONGEST_WAIT), signal);
    signal.throwIfAborted();
    await heartbeat?.();
  }
};

const isUnavailable = (error: unknown): boolean => error instanceof ServiceUnavailable;

/** The message of an unexpected error may quote personal data, so only its name is kept. */
const describe = (error: unknown): string =>
  error instanceof DomainError ? `${error.name}: ${error.reason}` : error instanceof Error ? error.name : typeof error;
