import type { FastifyInstance, FastifyRequest } from 'fastify';

import { TransportRefusal } from './transport-refusal.js';

/**
 * Refuses what HTTP itself forbids and Node would answer without a body: HTTP/1.1 without exactly one `Host` (RFC 9112 §3.2), and an expectation that the service
 * does not know (RFC 9110 §10.1.1). Added behind the credentials, so a caller without them gets the answer of its prefix (specification/conventions.md#http).
 */
export const refuseUnsoundRequests = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, _reply, done) => done(faultOf(request)));
};

const faultOf = ({ raw }: FastifyRequest): TransportRefusal | undefined => {
  if (raw.httpVersion === '1.1' && countOf('host', raw.rawHeaders) !== 1) return new TransportRefusal(400, 'HTTP/1.1 needs exactly one header Host.');
  const { expect } = raw.headers;
  if (expect === undefined || raw.httpVersion !== '1.1' || expect.split(',').every((each) => each.trim().toLowerCase() === '100-continue'))
    return undefined;
  return new TransportRefusal(417, 'The only expectation that is met is Expect: 100-continue.');
};

/** Node gives an application the first header of two. Names and values alternate. */
const countOf = (name: string, rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === name.length && rawHeaders[at]!.toLowerCase() === name) count += 1;
  return count;
};
