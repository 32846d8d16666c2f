import type { FastifyReply } from 'fastify';

import { errorEnvelope } from './error-envelope.js';
import type { Refusal } from './refusal.js';

/** Answers with the envelope, and leaves the private half on the request for the request log. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  reply.request.refusal = refusal;
  // Fastify closes the connection after any body it could not take; only one that was not read to its end needs that.
  if (refusal.status === 400) reply.removeHeader('connection');
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorEnvelope(refusal.errorCode, refusal.detail, refusal.payload)));
};
