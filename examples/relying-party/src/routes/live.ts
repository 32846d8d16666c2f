import { PassThrough } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { languageOf } from '../language.js';
import { type Texts, TEXTS } from '../messages/messages.js';
import type { Demo } from '../demo.js';
import { livePage, shownOf, MAX_SHOWN } from '../views/live.js';
import type { InboxEntry } from '../webhook-inbox.js';
import { abortedOnClose } from './long-poll.js';
import { pageSender } from './send-page.js';

/** A comment line that browsers ignore; it keeps proxies from closing an idle connection. */
const HEARTBEAT = ':\n\n';
/** Milliseconds. */
const HEARTBEAT_MS = 15_000;
/** The most pages that may follow at the same time. */
const MAX_STREAMS = 200;

/** The messages of the login service as they arrive: a page, and the stream that updates it (HTML, "Server-sent events"). */
export const liveRoutes = (app: FastifyInstance, demo: Demo): void => {
  const { inbox, webhookSecrets, closing } = demo;
  const send = pageSender(demo);
  let streams = 0;

  app.get('/live', (_request, reply) => send(reply, livePage({ entries: inbox.latest(MAX_SHOWN), listening: webhookSecrets.length > 0 })));

  app.get<{ Querystring: { after: number } }>('/live/stream', { schema: { querystring: STREAM_QUERY } }, (request, reply) => {
    if (streams >= MAX_STREAMS) return reply.code(503).header('retry-after', '10').send();
    streams++;
    const texts = TEXTS[languageOf(request)];
    const stream = new PassThrough();
    // The headers are sent only with the first bytes.
    stream.write(HEARTBEAT);
    const gone = abortedOnClose(reply, closing);
    // A browser that reconnects sends the last id it received.
    const last = request.headers['last-event-id'];
    for (const entry of inbox.after(typeof last === 'string' ? Number(last) : request.query.after)) stream.write(lineOf(entry, texts));
    inbox.follow((entry) => stream.write(lineOf(entry, texts)), gone);
    const timer = setInterval(() => stream.write(HEARTBEAT), HEARTBEAT_MS);
    const end = (): void => {
      streams--;
      clearInterval(timer);
      stream.end();
    };
    if (gone.aborted) end();
    else gone.addEventListener('abort', end, { once: true });
    return reply.type('text/event-stream').send(stream);
  });
};

const lineOf = (entry: InboxEntry, texts: Texts): string => `id: ${entry.number}\ndata: ${JSON.stringify(shownOf(entry, texts))}\n\n`;

const STREAM_QUERY = { type: 'object', properties: { after: { type: 'integer', minimum: 0, default: 0 } } };
