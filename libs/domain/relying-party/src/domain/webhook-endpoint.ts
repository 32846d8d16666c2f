import type { EndpointId } from '#kernel';

/** The event types that a webhook endpoint may subscribe to (specification/webhooks.md#event-types). */
export const WEBHOOK_EVENT_TYPES = ['session.scanned', 'session.confirmed', 'session.completed', 'session.cancelled', 'session.expired'] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Why an endpoint is disabled: staff disabled it, it answered 410, or it failed for five days. */
export type DisabledBecause = 'STAFF' | 'GONE' | 'FAILING';

/**
 * Why an endpoint is not confirmed: it was not tried yet; a ping had no answer; a rightly signed ping was not answered 2xx; a wrongly signed ping was not
 * answered 400, 401 or 403 (specification/webhooks.md#confirmation).
 */
export type UnconfirmedBecause = 'NOT_TRIED' | 'NO_ANSWER' | 'RIGHT_REFUSED' | 'WRONG_NOT_REFUSED';

/** What is still to be shown by an endpoint. `proofId`: another one after each change of the address, so that a proof of an older address counts for nothing. */
export interface Unconfirmed {
  readonly proofId: string;
  readonly because: UnconfirmedBecause;
}

/** The terms of an endpoint, set by an administrator or by the dispatcher. */
export type WebhookTerms = {
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  /** `null` when the endpoint is enabled. */
  readonly disabledBecause: DisabledBecause | null;
};

export interface WebhookEndpoint {
  readonly endpointId: EndpointId;
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly disabledBecause: DisabledBecause | null;
  /** Undefined once the receiver has shown that it verifies signatures. */
  readonly unconfirmed?: Unconfirmed;
  /** The spans of time in which it was enabled and confirmed. The last span has no end while it is both. Epoch milliseconds. */
  readonly enabled: readonly { readonly from: number; readonly until?: number }[];
  /** Newest first. Each secret signs until `until`, epoch milliseconds. */
  readonly secrets: readonly { readonly sealed: string; readonly until?: number }[];
}

/** The spans that are kept. An event is announced within seconds, so a span before fifty others matters for nothing. */
const MOST_SPANS = 50;

/** The number of endpoints that one client may have. */
export const MAX_ENDPOINTS = 20;

/** Whether the endpoint subscribed to the event type and was enabled and confirmed at `at`, the time of the event (epoch milliseconds). */
export const isFor = ({ eventTypes, enabled }: WebhookEndpoint, type: string, at: number): boolean =>
  (eventTypes as readonly string[]).includes(type) && enabled.some(({ from, until }) => from <= at && (until === undefined || at < until));

/** The sealed secrets that sign at `now` (epoch milliseconds), newest first. */
export const signingSecrets = ({ secrets }: WebhookEndpoint, now: number): readonly string[] =>
  secrets.filter(({ until }) => until === undefined || now < until).map(({ sealed }) => sealed);

/** The endpoint after a change of its terms at `at` (epoch milliseconds). `proofId`: the receiver has to prove itself, from now on or anew. */
export const changedEndpoint = (endpoint: WebhookEndpoint, at: number, changes: Partial<WebhookTerms>, proofId?: string): WebhookEndpoint =>
  withSpans({ ...endpoint, ...changes, ...(proofId !== undefined && { unconfirmed: { proofId, because: 'NOT_TRIED' } }) }, at);

/** The endpoint after its receiver has proved itself at `at` (epoch milliseconds). */
export const confirmedEndpoint = ({ unconfirmed: _, ...endpoint }: WebhookEndpoint, at: number): WebhookEndpoint => withSpans(endpoint, at);

const withSpans = (endpoint: WebhookEndpoint, at: number): WebhookEndpoint => {
  const spans = endpoint.enabled;
  const last = spans.at(-1);
  const open = last !== undefined && last.until === undefined;
  const isServed = endpoint.disabledBecause === null && endpoint.unconfirmed === undefined;
  if (open === isServed) return endpoint;
  return { ...endpoint, enabled: open ? [...spans.slice(0, -1), { from: last.from, until: at }] : [...spans.slice(1 - MOST_SPANS), { from: at }] };
};
