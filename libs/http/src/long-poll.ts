import type { FastifyReply, FastifyRequest } from 'fastify';

import { preferredWait } from './prefer-wait.js';

export interface LongPoll {
  /** How long the answer may be held. */
  readonly milliseconds: number;
  /** Aborted when the caller has gone or the service is stopping. */
  readonly signal: AbortSignal;
}

/** Requests that may be held until there is something to say (`Prefer: wait`, RFC 7240 section 4.3). */
export class LongPolls {
  /** `stopping` releases all of them. */
  constructor(private readonly stopping: AbortSignal) {}

  /** What the request asks for, acknowledged by `Preference-Applied`; undefined when it wants its answer at once. */
  begin(request: FastifyRequest, reply: FastifyReply): LongPoll | undefined {
    const seconds = preferredWait(request.headers.prefer);
    if (seconds === undefined) return undefined;
    reply.header('Preference-Applied', `wait=${seconds}`);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return { milliseconds: seconds * 1000, signal: AbortSignal.any([this.stopping, gone.signal]) };
  }
}
