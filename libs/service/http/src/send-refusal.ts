import type { FastifyReply } from 'fastify';

import { errorEnvelope } from './error-envelope.js';
import type { HttpRefusal } from './refusal.js';

/** Answers with the envelope, and keeps the private part on the request for the log. */
export const sendRefusal = (reply: FastifyReply, refusal: HttpRefusal): FastifyReply => {
  reply.request.refusal = refusal;
  // Fastify closes the connection after a body that it refused. A caller that is still sending it, such as a gateway, would lose the answer.
  // Node reads the rest of the body after the answer, within the time limit of a request.
  reply.removeHeader('connection');
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorEnvelope(refusal.errorCode, refusal.detail, refusal.payload)));
};
