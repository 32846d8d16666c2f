import type { ClientId, DomainEvent } from '#kernel';

/** What a webhook tells: what its body is made of, the same for every attempt. */
export type WebhookMessage = {
  /** `session.confirmed`, `endpoint.ping` … */
  readonly type: string;
  /** When it happened, epoch milliseconds. */
  readonly happenedAt: number;
  readonly data: MessageData;
};

/** Revision in the session's stream as `sequence`. Never a code, a redirect, a token, a subjectId, a name (api-extensions 6). */
export type MessageData = {
  readonly sessionId?: string;
  readonly status?: string;
  readonly signatureType?: string;
  readonly sequence?: number;
  readonly endpointId?: string;
};

/** How a delivery may end, once and for all unless staff asks for it again. */
export type DeliveryEnd = 'succeeded' | 'lapsed' | 'superseded' | 'exhausted' | 'disabled';

/** What an attempt met: the status of the answer, or why there was none. Never what the receiver wrote. */
export type AttemptOutcome = { readonly status?: number; readonly error?: string };

/** The facts of the stream `deliverylog-<endpointId>`, appended in batches, kept 30 days. Times in epoch milliseconds. */
export type DeliveryEvent =
  | DomainEvent<'DeliveryAdded', { readonly at: number; readonly deliveryId: string; readonly clientId: ClientId; readonly message: WebhookMessage }>
  /** `attempt` counts from 1. Then it has ended, or is tried again at `nextAt`. */
  | DomainEvent<'DeliveryAttempted', AttemptOutcome & { readonly at: number; readonly deliveryId: string; readonly attempt: number; readonly end?: DeliveryEnd; readonly nextAt?: number }>
  /** Without an attempt. */
  | DomainEvent<'DeliveryEnded', { readonly at: number; readonly deliveryId: string; readonly end: DeliveryEnd }>
  /** Staff asked for it again: it is due now, and its schedule begins anew. */
  | DomainEvent<'DeliveryRetried', { readonly at: number; readonly deliveryId: string }>;
