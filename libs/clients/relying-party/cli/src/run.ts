import { randomBytes } from 'node:crypto';

import { objectIn } from '../../src/read-answer.js';
import type { Pause } from '../../src/service-calls.js';
import { authorizationOf } from './authorization.js';
import { followEvents } from './follow-events.js';
import { forward, type Webhook } from './forward.js';
import type { StreamEvent } from './read-events.js';
import type { Settings } from './settings.js';

export interface RunParts {
  /** One line of the result. */
  readonly say: (line: string) => void;
  /** One line for the person alone. */
  readonly note: (line: string) => void;
  readonly askSecret: () => Promise<string>;
  /** Ends the command. */
  readonly signal: AbortSignal;
  readonly pause?: Pause;
}

/** The ids of messages that are remembered: more than one connection has to repeat. */
const REMEMBERED = 2_000;

/** Runs the command until the signal. Throws a Failure. */
export const run = async (settings: Settings, parts: RunParts): Promise<void> => {
  const { say, note, askSecret, signal, pause } = parts;
  const { url, types, clientId, forwardTo } = settings;
  const authorization = await authorizationOf(settings, askSecret);
  const secret = settings.webhookSecret ?? `whsec_${randomBytes(32).toString('base64')}`;
  const known = new Set<string>();
  let wasConnected = false;

  const connected = (resumed: boolean): void => {
    if (wasConnected) note(resumed ? 'connected again, nothing was missed' : 'connected again; what happened meanwhile may be missing');
    else {
      note(
        forwardTo === undefined ? `the sessions of client ${clientId} at ${url}` : `the webhooks of client ${clientId} at ${url} go to ${forwardTo}`,
      );
      if (forwardTo !== undefined && settings.webhookSecret === undefined) say(`webhook secret: ${secret}`);
    }
    wasConnected = true;
  };

  const take = async ({ event, data }: StreamEvent): Promise<void> => {
    const message = objectIn(data);
    if (event === 'listening') return connected(message?.['resumed'] === true);
    const webhook = webhookIn(message);
    if (!webhook || known.has(webhook.id)) return;
    const line = lineOf(webhook, forwardTo !== undefined);
    if (line === undefined) return;
    if (forwardTo === undefined) say(line);
    else say(`${line}  ${await forward(forwardTo, webhook, secret, signal)}`);
    known.add(webhook.id);
    const [oldest] = known;
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  };

  await followEvents({ url, types, authorization, signal, take, lost: (reason) => note(`${reason}; trying again`), ...(pause && { pause }) });
};

const webhookIn = (message: Readonly<Record<string, unknown>> | undefined): Webhook | undefined => {
  const { id, body } = message ?? {};
  return typeof id === 'string' && /^[\w-]{1,100}$/.test(id) && typeof body === 'string' ? { id, body } : undefined;
};

const WORD = /^[\w.:-]{1,100}$/;

/** Undefined for a body that is no message about a session. Nothing that could steer a terminal is shown. */
const lineOf = ({ body }: Webhook, showsType: boolean): string | undefined => {
  const { type, timestamp, data } = objectIn(body) ?? {};
  const { sessionId, status, signatureType } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const words = showsType ? [timestamp, type, sessionId] : [timestamp, sessionId, signatureType, status];
  return words.every((word) => typeof word === 'string' && WORD.test(word)) ? words.join('  ') : undefined;
};
