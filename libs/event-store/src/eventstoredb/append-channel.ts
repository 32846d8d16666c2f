import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Randomness } from '#kernel';

import { type AppendAnswer, appendAnswer, appendMessage, type AppendRequest, correlationIdOf } from './append-messages.js';
import { type BatchAppendCall, openBatchAppend } from './client.js';
import { describe } from './failure.js';

/** Appends waiting for an answer, beyond which no more are sent: a frozen server must not fill the memory. */
const MOST_PENDING = 10_000;

/**
 * Many appends over one BatchAppend call, each with a time-out of its own. A call that ends leaves all that wait on it with
 * an unknown outcome, and the next append opens another.
 *
 * Why not the client's `appendToStream`: when the server dies or freezes under load, its batch path leaves rejections that
 * nobody can handle, which end the process, and it keeps what is pending in one table for all clients (ADR 0007).
 */
export class AppendChannel {
  #call: Promise<OpenCall> | undefined;

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly randomness: Randomness,
  ) {}

  /** Never rejects. */
  async append(request: AppendRequest, timeout: number): Promise<AppendAnswer> {
    const answered = Promise.withResolvers<AppendAnswer>();
    const correlationId = this.randomness.uuid();
    const message = appendMessage(correlationId, request);
    let giveUp = (): void => undefined;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      giveUp();
      answered.resolve({ kind: 'unknown', reason: `no answer in ${Math.round(timeout)} ms` });
    }, timeout);
    this.#open().then(
      (call) => {
        if (late) return;
        giveUp = () => call.giveUp(correlationId);
        call.send(correlationId, message, answered.resolve);
      },
      (error: unknown) => answered.resolve({ kind: 'unknown', reason: describe(error) }),
    );
    return answered.promise.finally(() => clearTimeout(timer));
  }

  #open(): Promise<OpenCall> {
    if (this.#call) return this.#call;
    const opening: Promise<OpenCall> = openBatchAppend(this.client).then((call) => new OpenCall(call, forget));
    const forget = (): void => {
      if (this.#call === opening) this.#call = undefined;
    };
    opening.catch(forget);
    this.#call = opening;
    return opening;
  }
}

class OpenCall {
  readonly #pending = new Map<string, { readonly answer: (answer: AppendAnswer) => void; readonly heardBefore: number }>();
  #answersHeard = 0;
  #ended: string | undefined;

  constructor(
    private readonly call: BatchAppendCall,
    private readonly ended: () => void,
  ) {
    call.on('data', (message) => {
      this.#answersHeard += 1;
      this.#take(correlationIdOf(message))?.answer(appendAnswer(message));
    });
    call.on('error', (error) => this.#end(describe(error)));
    call.on('close', () => this.#end('the call has ended'));
  }

  send(correlationId: string, message: Parameters<BatchAppendCall['write']>[0], answer: (answer: AppendAnswer) => void): void {
    if (this.#ended !== undefined) return answer({ kind: 'unknown', reason: this.#ended });
    if (this.#pending.size >= MOST_PENDING) return answer({ kind: 'refused', reason: `${MOST_PENDING} appends are waiting` });
    this.#pending.set(correlationId, { answer, heardBefore: this.#answersHeard });
    this.call.write(message);
  }

  /** A call over which nothing came all the while is taken for dead. */
  giveUp(correlationId: string): void {
    const given = this.#take(correlationId);
    if (given && given.heardBefore === this.#answersHeard) this.call.cancel();
  }

  #take(correlationId: string) {
    const taken = this.#pending.get(correlationId);
    this.#pending.delete(correlationId);
    return taken;
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.ended();
    for (const { answer } of this.#pending.values()) answer({ kind: 'unknown', reason });
    this.#pending.clear();
  }
}
