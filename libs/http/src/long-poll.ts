import type { FastifyReply, FastifyRequest } from 'fastify';

import { preferredWait } from './prefer-wait.js';

export interface LongPoll {
  /** How long the answer may be delayed. */
  readonly milliseconds: number;
  /** Aborted when the caller has disconnected or the service stops. */
  readonly signal: AbortSignal;
}

/** Requests whose answer may wait for a change (`Prefer: wait`, RFC 7240 §4.3; specification/relying-party.md#long-polling). */
export class LongPolls {
  /** `stopping` ends all of them. */
  constructor(private readonly stopping: AbortSignal) {}

  /** The wait that the request asks for, acknowledged by `Preference-Applied`; undefined when it asks for none. */
  begin(request: FastifyRequest, reply: FastifyReply): LongPoll | undefined {
    const seconds = preferredWait(request.headers.prefer);
    if (seconds === undefined) return undefined;
    reply.header('Preference-Applied', `wait=${seconds}`);
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    return { milliseconds: seconds * 1000, signal: AbortSignal.any([this.stopping, disconnected.signal]) };
  }
}
