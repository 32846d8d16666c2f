import type { Messages } from './messages/messages.js';
import { type Json, textOf } from './portal-api.js';

/** The types of messages that an endpoint can ask for. A test holds them against the document of the API. */
export const EVENT_TYPES = ['session.scanned', 'session.confirmed', 'session.completed', 'session.cancelled', 'session.expired'] as const;

const STATES: Readonly<Record<string, keyof Messages>> = {
  pending: 'deliveryPending',
  succeeded: 'deliverySucceeded',
  lapsed: 'deliveryLapsed',
  superseded: 'deliverySuperseded',
  exhausted: 'deliveryExhausted',
  disabled: 'deliveryDisabled',
};

const FAULTS: Readonly<Record<string, keyof Messages>> = {
  unreachable_address: 'faultAddress',
  unknown_host: 'faultHost',
  proxy_failed: 'faultProxy',
  timeout: 'faultTimeout',
  connection_failed: 'faultConnection',
  tls_failed: 'faultCertificate',
  bad_answer: 'faultAnswer',
  right_signature_refused: 'proofRightRefused',
  wrong_signature_not_refused: 'proofWrongNotRefused',
};

const OFF: Readonly<Record<string, keyof Messages>> = { STAFF: 'endpointOff', GONE: 'endpointGone', FAILING: 'endpointFailed' };

/** Why nothing is sent to an endpoint whose receiver has not proved itself. A test holds them against the document of the API. */
const UNPROVED: Readonly<Record<string, keyof Messages>> = {
  NOT_TRIED: 'proofNotTried',
  NO_ANSWER: 'proofNoAnswer',
  RIGHT_REFUSED: 'proofRightRefused',
  WRONG_NOT_REFUSED: 'proofWrongNotRefused',
};

/** The text of the code; the code itself where a newer service has one that this page does not know. */
const wordOf = (words: Readonly<Record<string, keyof Messages>>, texts: Messages, code: string): string => {
  const key = Object.hasOwn(words, code) ? words[code] : undefined;
  return key ? texts[key] : code;
};

/** How far a delivery is, in words. */
export const stateText = (texts: Messages, delivery: Json): string => wordOf(STATES, texts, textOf(delivery, 'state'));

/** What the receiver answered to an attempt, or why there was no answer. */
export const outcomeText = (texts: Messages, attempt: Json): string => {
  const { status, error } = attempt;
  const fault = wordOf(FAULTS, texts, textOf(attempt, 'error'));
  if (typeof status !== 'number') return fault;
  return error === undefined ? `HTTP ${status}` : `HTTP ${status} · ${fault}`;
};

/** Whether messages are sent to an endpoint, and why not. */
export const endpointText = (texts: Messages, endpoint: Json): string => {
  if (endpoint['enabled'] !== true) return wordOf(OFF, texts, textOf(endpoint, 'disabledBecause'));
  if (isUnproved(endpoint)) return `${texts.endpointUnproved} ${wordOf(UNPROVED, texts, textOf(endpoint, 'unconfirmedBecause'))}`;
  return endpoint['failingSince'] === undefined ? texts.endpointOn : texts.endpointFailing;
};

/** Whether the receiver still has to prove that it verifies signatures. */
export const isUnproved = (endpoint: Json): boolean => endpoint['state'] === 'unconfirmed';
