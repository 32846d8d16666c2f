import { setTimeout as sleep } from 'node:timers/promises';

import { DomainError, ServiceUnavailable } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import type { CloudEvent } from './cloud-event.js';
import { AWAY_WAIT, type ConsumeOptions, type DeliveryContext, RETRY_WAITS } from './message-bus.js';
import type { Publication } from './publication.js';
import { RevisionMemory } from './revision-memory.js';

export interface DeliveryParts extends Pick<ConsumeOptions, 'group' | 'types' | 'handler' | 'retryWaits' | 'awayWait'> {
  readonly publication: Publication;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** How a message came, as its transport sees it. */
export interface Arrival extends Pick<DeliveryContext, 'signal' | 'heartbeat'> {
  /** Keeps the message as a dead letter; may reject, and is then called again. */
  park(reason: string, message: CloudEvent | undefined): Promise<void>;
}

type Outcome = 'handled' | 'ignored' | 'duplicate' | 'gap' | 'retried' | 'waited' | 'dead_letter' | 'unknown';

/** Between heartbeats, in milliseconds. */
const LONGEST_WAIT = 3_000;

/** What happens to a message between its arrival and the moment the offset may move on. The same for every transport. */
export class Delivery {
  readonly #memory = new RevisionMemory();
  readonly #types: ReadonlySet<string>;

  constructor(private readonly parts: DeliveryParts) {
    this.#types = new Set(parts.types);
  }

  /** Resolves when the message has been dealt with. Rejects only when its signal is aborted: then nothing is known of it. */
  async deliver(message: CloudEvent, arrival: Arrival): Promise<void> {
    const { publication } = this.parts;
    const refusal = publication.refuse(message);
    if (refusal !== undefined) {
      this.#count('unknown');
      return this.park(refusal, message, arrival);
    }
    const { subject, esrevision } = message;
    const last = this.#memory.last(subject);
    if (last !== undefined && esrevision <= last) return this.#count('duplicate');
    if (last !== undefined && esrevision > last + 1) await this.#fillGap(subject, last + 1, esrevision - 1, arrival);
    await this.#handle(message, arrival);
  }

  /** Keeps a message that cannot be delivered; goes on trying until it is kept. */
  async park(reason: string, message: CloudEvent | undefined, arrival: Arrival): Promise<void> {
    await untilAvailable(() => arrival.park(reason, message), arrival, () => true);
    this.#count('dead_letter');
    this.parts.log.error('message became a dead letter', { component: this.parts.group, reason, ...(message && { sessionId: message.subject }) });
  }

  async #fillGap(subject: string, first: number, last: number, arrival: Arrival): Promise<void> {
    const missing = await untilAvailable(() => this.parts.publication.messagesOf(subject, first, last), arrival, isAway);
    for (const message of missing) {
      this.#count('gap');
      await this.#handle(message, arrival);
    }
  }

  async #handle(message: CloudEvent, arrival: Arrival): Promise<void> {
    if (this.#types.has(message.type)) await this.#attempt(message, arrival);
    else this.#count('ignored');
    this.#memory.note(message.subject, message.esrevision);
  }

  async #attempt(message: CloudEvent, arrival: Arrival): Promise<void> {
    const { handler, retryWaits = RETRY_WAITS, awayWait = AWAY_WAIT, log, group } = this.parts;
    const { signal, heartbeat } = arrival;
    let failures = 0;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      await heartbeat();
      try {
        await unlessSilent((stop, alive) => handler(message, contextOf(attempt, [signal, stop], () => (alive(), heartbeat()))), heartbeat);
        return this.#count('handled');
      } catch (error) {
        // What failed because it was told to stop says nothing about the message.
        signal.throwIfAborted();
        const away = isAway(error);
        const wait = away ? awayWait : retryWaits[failures++];
        if (wait === undefined) return this.park(describe(error), message, arrival);
        this.#count(away ? 'waited' : 'retried');
        log.warn('message failed', { component: group, sessionId: message.subject, count: attempt, error });
        await pause(wait, arrival);
      }
    }
  }

  #count(outcome: Outcome): void {
    const { publication, group, metrics } = this.parts;
    metrics.busMessages.inc({ topic: publication.topic, group, outcome });
  }
}

/** The signal is made for whoever asks: that costs more than what most handlers do. */
const contextOf = (attempt: number, signals: readonly AbortSignal[], heartbeat: () => Promise<void>): DeliveryContext => {
  let either: AbortSignal | undefined;
  return {
    attempt,
    get signal() {
      return (either ??= AbortSignal.any([...signals]));
    },
    heartbeat,
  };
};

/** How long a handler may go without a sign, in milliseconds. */
const SILENCE = 20_000;

class HandlerSilent extends Error {
  override readonly name = 'HandlerSilent';
}

/** Fails when the work neither ends nor gives a sign for too long; what it does afterwards does not count. Until then `heartbeat` vouches for it. */
const unlessSilent = async (work: (stop: AbortSignal, alive: () => void) => Promise<void>, heartbeat: () => Promise<void>): Promise<void> => {
  const stop = new AbortController();
  const silent = new Promise<never>((_resolve, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error)));
  const timer = setTimeout(() => stop.abort(new HandlerSilent()), SILENCE);
  const heart = setInterval(() => void heartbeat().catch(() => undefined), LONGEST_WAIT); // a failure aborts the arrival
  try {
    await Promise.race([work(stop.signal, () => void timer.refresh()), silent]);
  } finally {
    clearTimeout(timer);
    clearInterval(heart);
  }
};

/** Repeats the work while it fails for a reason that passes. */
export const untilAvailable = async <Result>(
  work: () => Promise<Result>,
  arrival: Pick<Arrival, 'signal' | 'heartbeat'>,
  passes: (error: unknown) => boolean = isAway,
): Promise<Result> => {
  for (let wait = 100; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error)) throw error;
      await pause(wait, arrival);
    }
  }
};

const pause = async (milliseconds: number, { signal, heartbeat }: Pick<Arrival, 'signal' | 'heartbeat'>): Promise<void> => {
  for (let left = milliseconds; left > 0; left -= LONGEST_WAIT) {
    await sleep(Math.min(left, LONGEST_WAIT), undefined, { signal });
    await heartbeat();
  }
};

const isAway = (error: unknown): boolean => error instanceof ServiceUnavailable;

/** An unexpected error's message may quote what it was given: its name has to do. */
const describe = (error: unknown): string =>
  error instanceof DomainError ? `${error.name}: ${error.reason}` : error instanceof Error ? error.name : typeof error;
