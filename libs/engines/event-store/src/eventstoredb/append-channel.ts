import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Randomness } from '#kernel';

import { type AppendAnswer, appendAnswer, appendMessage, type AppendRequest, correlationIdOf } from './append-messages.js';
import { type BatchAppendCall, openBatchAppend } from './client.js';
import type { Connection } from './connection.js';
import { describe } from './failure.js';

/** Appends waiting for an answer, beyond which no more are sent: a frozen server must not fill the memory. */
export const MOST_PENDING = 10_000;

/** Milliseconds; a shorter wait for an answer says nothing about the node. */
export const SHORTEST_SILENCE = 1_000;

/**
 * Many appends over one BatchAppend call, each with a time-out of its own. A call that ends leaves all that wait on it with
 * an unknown outcome, and the next append opens another.
 *
 * Why not the client's `appendToStream`: when the server dies or freezes under load, its batch path leaves rejections that
 * no code can handle, which end the process, and it keeps pending appends in one table for all clients (ADR 0007).
 */
export class AppendChannel {
  #call: Promise<OpenCall> | undefined;

  constructor(
    private readonly connection: Pick<Connection, 'client' | 'failed' | 'leave'>,
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
      if (timeout >= SHORTEST_SILENCE) giveUp();
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
    const opening: Promise<OpenCall> = this.#openCall((error) => forget(error));
    const forget = (error?: { readonly client: EventStoreDBClient; readonly reason: unknown }): void => {
      if (this.#call === opening) this.#call = undefined;
      if (error) this.connection.failed(error.client, error.reason);
    };
    opening.catch(() => forget());
    this.#call = opening;
    return opening;
  }

  async #openCall(ended: (error: { client: EventStoreDBClient; reason: unknown }) => void): Promise<OpenCall> {
    const client = await this.connection.client();
    const call = await openBatchAppend(client);
    return new OpenCall(call, {
      ended: (reason) => ended({ client, reason }),
      refused: (reason) => {
        if (reason.includes('AccessDenied')) this.connection.failed(client, { type: 'access-denied' });
      },
      silent: () => {
        call.cancel();
        this.connection.leave(client);
      },
    });
  }
}

interface CallEvents {
  readonly ended: (reason: unknown) => void;
  /** The server has refused an append. */
  readonly refused: (reason: string) => void;
  /** Nothing came while an append waited for its whole time. */
  readonly silent: () => void;
}

class OpenCall {
  readonly #pending = new Map<string, { readonly answer: (answer: AppendAnswer) => void; readonly answersBefore: number }>();
  #answers = 0;
  #ended: string | undefined;

  constructor(
    private readonly call: BatchAppendCall,
    private readonly events: CallEvents,
  ) {
    call.on('data', (message) => {
      this.#answers += 1;
      const answer = appendAnswer(message);
      if (answer.kind === 'refused') this.events.refused(answer.reason);
      this.#take(correlationIdOf(message))?.answer(answer);
    });
    call.on('error', (error) => this.#end(describe(error), error));
    call.on('close', () => this.#end('the call has ended', undefined));
  }

  send(correlationId: string, message: Parameters<BatchAppendCall['write']>[0], answer: (answer: AppendAnswer) => void): void {
    if (this.#ended !== undefined) return answer({ kind: 'unknown', reason: this.#ended });
    if (this.#pending.size >= MOST_PENDING) return answer({ kind: 'refused', reason: `${MOST_PENDING} appends are waiting` });
    this.#pending.set(correlationId, { answer, answersBefore: this.#answers });
    this.call.write(message);
  }

  /** A call that has received nothing in that time counts as dead. */
  giveUp(correlationId: string): void {
    const given = this.#take(correlationId);
    if (given && given.answersBefore === this.#answers) this.events.silent();
  }

  #take(correlationId: string) {
    const taken = this.#pending.get(correlationId);
    this.#pending.delete(correlationId);
    return taken;
  }

  #end(reason: string, error: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.events.ended(error);
    for (const { answer } of this.#pending.values()) answer({ kind: 'unknown', reason });
    this.#pending.clear();
  }
}
