import type { FastifyReply, FastifyRequest } from 'fastify';

import { RateLimited } from '#engines/rate-limit';

import { preferredWait } from './prefer-wait.js';

export interface LongPoll {
  /** How long the answer may be delayed. */
  readonly milliseconds: number;
  /** Aborted when the caller has disconnected or the service stops. */
  readonly signal: AbortSignal;
}

/** Long polls of one session or device that wait at the same time, in one process: some windows of one browser. */
const MOST_OF_ONE = 10;
/** Seconds. */
const RETRY_AFTER = 2;

/** Requests whose answer may wait for a change (`Prefer: wait`, RFC 7240 §4.3; specification/relying-party.md#long-polling). */
export class LongPolls {
  /** How many wait for each holder, in this process. */
  readonly #waiting = new Map<string, number>();

  /** `stopping` ends all of them. */
  constructor(private readonly stopping: AbortSignal) {}

  /**
   * The wait that the request asks for, acknowledged by `Preference-Applied`; undefined when it asks for none. Throws RateLimited when {@link MOST_OF_ONE} requests of
   * the holder wait already.
   *
   * @param holder the session or device of the request, already proven. Default: its requests are not counted.
   */
  begin(request: FastifyRequest, reply: FastifyReply, holder?: string): LongPoll | undefined {
    const seconds = preferredWait(request.headers.prefer);
    if (seconds === undefined) return undefined;
    if (holder !== undefined) this.#count(holder, reply);
    reply.header('Preference-Applied', `wait=${seconds}`);
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    return { milliseconds: seconds * 1000, signal: AbortSignal.any([this.stopping, disconnected.signal]) };
  }

  #count(holder: string, reply: FastifyReply): void {
    const waiting = this.#waiting.get(holder) ?? 0;
    if (waiting >= MOST_OF_ONE) throw new RateLimited('too many requests of one holder wait already', MOST_OF_ONE, RETRY_AFTER);
    this.#waiting.set(holder, waiting + 1);
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      const left = (this.#waiting.get(holder) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(holder);
      else this.#waiting.set(holder, left);
    };
    reply.raw.once('finish', end).once('close', end);
  }
}
