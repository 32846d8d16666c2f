import { PassThrough } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import type { Demo } from '../demo.js';
import { livePage, shownOf, SHOWN } from '../views/live.js';
import type { InboxEntry } from '../webhook-inbox.js';
import { goneOrClosing } from './held-status.js';
import { pageSender } from './send-page.js';

/** A line for nobody: that we are there, and are not to be thought dead by what stands between. */
const ALIVE = ':\n\n';
/** Milliseconds. */
const EVERY = 15_000;
/** Pages that may look at the same time. */
const MOST = 200;

/** The messages of the login service as they arrive: a page, and the stream that keeps it fresh (HTML, "Server-sent events"). */
export const liveRoutes = (app: FastifyInstance, demo: Demo): void => {
  const { inbox, webhookSecrets, closing } = demo;
  const send = pageSender(demo);
  let looking = 0;

  app.get('/live', (_request, reply) => send(reply, livePage({ entries: inbox.latest(SHOWN), listening: webhookSecrets.length > 0 })));

  app.get<{ Querystring: { after: number } }>('/live/stream', { schema: { querystring: STREAM_QUERY } }, (request, reply) => {
    if (looking >= MOST) return reply.code(503).header('retry-after', '10').send();
    looking++;
    const stream = new PassThrough();
    // Nothing goes out, not even the headers, before there is something to send.
    stream.write(ALIVE);
    const gone = goneOrClosing(reply, closing);
    // A browser that comes back says what it had last.
    const last = request.headers['last-event-id'];
    for (const entry of inbox.after(typeof last === 'string' ? Number(last) : request.query.after)) stream.write(lineOf(entry));
    inbox.follow((entry) => stream.write(lineOf(entry)), gone);
    const timer = setInterval(() => stream.write(ALIVE), EVERY);
    const end = (): void => {
      looking--;
      clearInterval(timer);
      stream.end();
    };
    if (gone.aborted) end();
    else gone.addEventListener('abort', end, { once: true });
    return reply.type('text/event-stream').send(stream);
  });
};

const lineOf = (entry: InboxEntry): string => `id: ${entry.number}\ndata: ${JSON.stringify(shownOf(entry))}\n\n`;

const STREAM_QUERY = { type: 'object', properties: { after: { type: 'integer', minimum: 0, default: 0 } } };
