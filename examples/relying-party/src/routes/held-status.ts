import type { FastifyReply } from 'fastify';

import { SessionNotFound, type SessionState } from '#relying-party-client';

/** Seconds that a status call of a page is held. */
export const HELD = 20;

/** A session whose record is no longer kept has ended long ago. */
export const stillKnown = (state: Promise<SessionState>): Promise<SessionState> =>
  state.catch((error: unknown) => {
    if (error instanceof SessionNotFound) return { status: 'EXPIRED' };
    throw error;
  });

/** Nobody waits any more for the answer. */
export const goneOrClosing = (reply: FastifyReply, closing: AbortSignal): AbortSignal => {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
};
