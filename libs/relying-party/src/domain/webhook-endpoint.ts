import type { EndpointId } from '#kernel';

/** The events that a webhook endpoint may ask for (api-extensions 6). */
export const WEBHOOK_EVENT_TYPES = ['session.scanned', 'session.confirmed', 'session.completed', 'session.cancelled', 'session.expired'] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Why an endpoint is not used: staff said so, it answered 410, or it failed for days. */
export type DisabledBecause = 'STAFF' | 'GONE' | 'FAILING';

/** What is decided about an endpoint. */
export type WebhookTerms = {
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  /** `null`: it is enabled. */
  readonly disabledBecause: DisabledBecause | null;
};

export interface WebhookEndpoint {
  readonly endpointId: EndpointId;
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly disabledBecause: DisabledBecause | null;
  /** When it was enabled, and until when; the last span is open while it is. Epoch milliseconds. */
  readonly enabled: readonly { readonly from: number; readonly until?: number }[];
  /** The newest first. Each signs until its time, epoch milliseconds. */
  readonly secrets: readonly { readonly sealed: string; readonly until?: number }[];
}

/** So many endpoints a client may have. */
export const MOST_ENDPOINTS = 20;

/** Whether something that happened at that time is for the endpoint, however late it is looked at. */
export const isFor = ({ eventTypes, enabled }: WebhookEndpoint, type: string, at: number): boolean =>
  (eventTypes as readonly string[]).includes(type) && enabled.some(({ from, until }) => from <= at && (until === undefined || at < until));

/** The sealed secrets that sign at that time, the newest first. */
export const signingSecrets = ({ secrets }: WebhookEndpoint, now: number): readonly string[] =>
  secrets.filter(({ until }) => until === undefined || now < until).map(({ sealed }) => sealed);

/** The endpoint after a change at that time. */
export const changedEndpoint = (endpoint: WebhookEndpoint, at: number, { disabledBecause = endpoint.disabledBecause, ...changes }: Partial<WebhookTerms>): WebhookEndpoint => {
  const spans = endpoint.enabled;
  const last = spans.at(-1);
  const open = last !== undefined && last.until === undefined;
  const enabled =
    open && disabledBecause !== null ? [...spans.slice(0, -1), { from: last.from, until: at }] : !open && disabledBecause === null ? [...spans, { from: at }] : spans;
  return { ...endpoint, ...changes, disabledBecause, enabled };
};
