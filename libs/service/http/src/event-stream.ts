import { once } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** One event of a stream (HTML Living Standard, section 9.2 "Server-sent events"). */
export interface ServerSentEvent {
  /** What the reader brings back as `Last-Event-ID`. */
  readonly id?: string | undefined;
  readonly event?: string;
  /** On one line. Without it, a reader notes the id and hears of nothing. */
  readonly data?: string;
}

/** Milliseconds that a reader may take none of what is written. */
const STALLED = 30_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // nginx would collect some kilobytes before it passes them on.
  'x-accel-buffering': 'no',
};

export interface EventStreamParts {
  /** Ends the stream. */
  readonly stopping: AbortSignal;
  /** Milliseconds. Default: {@link STALLED}. */
  readonly stalled?: number;
}

/**
 * Answers with the events, each as soon as it comes and the reader has room: nothing is collected here. It ends with the events, when the caller disconnects or reads nothing, when the service
 * stops, and as soon as the credentials no longer hold: they are judged again before each event. What the first event throws is answered as every refusal; a later
 * error ends the stream. `eventsUntil` gets a signal that ends its work.
 */
export const sendEvents = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { stopping, stalled = STALLED }: EventStreamParts,
  eventsUntil: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
): Promise<void> => {
  if (request.method === 'HEAD') {
    await reply.headers(HEADERS).send();
    return;
  }
  const over = new AbortController();
  if (reply.raw.destroyed) over.abort();
  else reply.raw.once('close', () => over.abort());
  const signal = AbortSignal.any([over.signal, stopping]);
  const events = eventsUntil(signal)[Symbol.asyncIterator]();
  try {
    let next = await events.next();
    reply.hijack();
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
    try {
      for (; !next.done && !signal.aborted && (await stands(request)); next = await events.next()) {
        if (!reply.raw.write(textOf(next.value))) await once(reply.raw, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(stalled)]) });
      }
      reply.raw.end();
    } catch {
      reply.raw.destroy();
    }
  } finally {
    over.abort();
    await events.return?.();
  }
};

/** While credentials cannot be judged, nothing more is told: the caller comes back. */
const stands = async ({ stands: judge }: FastifyRequest): Promise<boolean> => {
  try {
    return judge === undefined || (await judge());
  } catch {
    return false;
  }
};

const textOf = ({ id, event, data }: ServerSentEvent): string => {
  const fields = Object.entries({ id, event, data }).filter(([, value]) => value !== undefined);
  // A line that begins with a colon is a comment.
  return fields.length === 0 ? ':\n\n' : `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`;
};
