import { objectIn, secondsIn, textIn } from '../../src/read-answer.js';
import { type Pause, pauseFor } from '../../src/service-calls.js';
import type { Authorization } from './authorization.js';
import { Failure, refused } from './failures.js';
import { readEvents, type StreamEvent } from './read-events.js';

export interface FollowParts {
  readonly url: string;
  readonly types: string | undefined;
  readonly authorization: Authorization;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told of each event after it was read; the next one is read when it resolves. */
  readonly take: (event: StreamEvent) => Promise<void> | void;
  /** Told why the connection was lost, and that another one is tried. */
  readonly lost: (reason: string) => void;
  readonly pause?: Pause;
  /** Milliseconds without a sign of life after which the connection counts as lost. Default: {@link SILENCE}. */
  readonly silence?: number;
}

/** Three signs of life of the service are missing. */
const SILENCE = 45_000;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;

/** The connection has ended; another one may succeed. `retryAfter`: seconds that the service asks for. */
class Lost extends Error {
  constructor(
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/**
 * Follows the events of the client over one connection after the other, each from where the last one ended, until the signal. Throws a Failure that no repetition
 * helps against.
 */
export const followEvents = async (parts: FollowParts): Promise<void> => {
  const { signal, lost, pause = pauseFor } = parts;
  const place: { cursor?: string | undefined } = {};
  for (let failures = 0; !signal.aborted;) {
    try {
      await followOnce(parts, place, () => (failures = 0));
      throw new Lost('the service has ended the connection');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Failure) throw error;
      lost(error instanceof Lost ? error.message : 'the service cannot be reached');
      const asked = error instanceof Lost ? (error.retryAfter ?? 0) * 1_000 : 0;
      const own = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
      failures += 1;
      await pause(Math.max(asked, own), signal).catch(() => undefined);
    }
  }
};

const followOnce = async (parts: FollowParts, place: { cursor?: string | undefined }, heard: () => void): Promise<void> => {
  const { url, types, authorization, take, silence = SILENCE } = parts;
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silence);
  try {
    const answer = await fetch(`${url}/relying-party/v1/events${types === undefined ? '' : `?types=${encodeURIComponent(types)}`}`, {
      headers: { authorization: authorization(), accept: 'text/event-stream', ...(place.cursor !== undefined && { 'last-event-id': place.cursor }) },
      // Following a redirect would send the credentials to another address.
      redirect: 'manual',
      signal: AbortSignal.any([parts.signal, silent.signal]),
    });
    if (answer.status !== 200 || !answer.body) throw await refusalOf(answer);
    for await (const event of readEvents(answer.body)) {
      timer.refresh();
      heard();
      if (event.event !== undefined) await take(event);
      place.cursor = event.id ?? place.cursor;
      timer.refresh();
    }
  } catch (error) {
    throw silent.signal.aborted ? new Lost('the service is silent') : error;
  } finally {
    clearTimeout(timer);
  }
};

const refusalOf = async (answer: Response): Promise<Error> => {
  const body = await answer.text().catch(() => '');
  const { status } = answer;
  if (status === 401)
    return refused('the service refuses the credentials: the client id, or its secret or key, is wrong or was changed, or the client is disabled');
  if (status === 429) return new Lost('too many listeners of this client', secondsIn(answer.headers.get('retry-after')));
  if (status >= 500) return new Lost(`the service answers ${status}`, secondsIn(answer.headers.get('retry-after')));
  if (status === 404) return refused('the service does not offer it: its setting WEBHOOK_LISTENING is false, or --url is not its address');
  if (status === 400) return refused(textIn(objectIn(body), 'defaultTranslation') ?? 'the service refuses the request');
  return refused(`the service answers ${status}: check --url`);
};
