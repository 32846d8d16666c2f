import type { FastifyReply } from 'fastify';

import { SessionNotFound, type SessionState } from '#clients/relying-party';

/** How long a status call of a page is held, in seconds. */
export const HOLD_SECONDS = 20;

/** An unknown session counts as expired: its record is no longer kept. */
export const expiredIfUnknown = (state: Promise<SessionState>): Promise<SessionState> =>
  state.catch((error: unknown) => {
    if (error instanceof SessionNotFound) return { status: 'EXPIRED' };
    throw error;
  });

/** Aborts when the browser closes the connection or the demo stops. */
export const abortedOnClose = (reply: FastifyReply, closing: AbortSignal): AbortSignal => {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
};
