import type { FastifyReply } from 'fastify';

import { errorEnvelope } from './error-envelope.js';
import type { Refusal } from './refusal.js';

/** Answers with the envelope, and leaves the private half on the request for the request log. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  reply.request.refusal = refusal;
  // Fastify closes the connection after a body that it could not take; whoever still sends one, a gateway say, would lose the answer. Node
  // reads what is left of the body behind the answer, for as long as a request may take.
  reply.removeHeader('connection');
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorEnvelope(refusal.errorCode, refusal.detail, refusal.payload)));
};
