import fastify from 'fastify';

import type { GivenAnswer } from './given-answer.js';

/**
 * The references for all results, on the same machine in the same run: a route that does nothing, and a route that gives an answer of the service
 * without the service's work.
 */
const app = fastify();
app.get('/', () => ({ hello: 'world' }));

const { path, headers, body } = JSON.parse(process.env['ANSWER'] ?? '') as GivenAnswer;
app.get(path, (_request, reply) => {
  void reply.headers(headers);
  return body;
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
