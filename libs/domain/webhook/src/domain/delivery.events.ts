import type { ClientId, DomainEvent } from '#kernel';

/** The content of a webhook's body, the same for every attempt (specification/webhooks.md#body). */
export type WebhookMessage = {
  /** `session.confirmed`, `endpoint.ping` … */
  readonly type: string;
  /** When it happened, epoch milliseconds. */
  readonly happenedAt: number;
  readonly data: MessageData;
  /** The ping is a proof: three rightly and three wrongly signed ones are sent. */
  readonly proof?: EndpointProof;
  /** W3C Trace Context of the event's request, if it has one. Sent as a header, not in the body. */
  readonly traceparent?: string;
};

/** `sequence` is the revision in the session's stream. Never a code, a redirect, a token, a subjectId, a name (specification/webhooks.md#body). */
export type MessageData = {
  readonly sessionId?: string;
  readonly status?: string;
  readonly signatureType?: string;
  readonly sequence?: number;
  readonly endpointId?: string;
  /** Of `openid.logout`: the person, from whom the subjectId is derived at each attempt. Never sent. */
  readonly identityId?: string;
};

/** Whether staff asked for the proof, or the address was made or changed: the proof of this id is then tried by itself (specification/webhooks.md#confirmation). */
export type EndpointProof = { readonly by: 'request' } | { readonly by: 'address'; readonly proofId: string };

/** How a delivery may end. The end is final unless staff retry the delivery (specification/webhooks.md#deliveries). */
export type DeliveryEnd = 'succeeded' | 'lapsed' | 'superseded' | 'exhausted' | 'disabled';

/** Why an attempt had no answer, or why the answers to a proof prove nothing: beside the last two, the answer's status is given. */
export type AttemptError =
  'unreachable_address' | 'unknown_host' | 'proxy_failed' | 'timeout' | 'connection_failed' | 'tls_failed' | 'bad_answer' | ProofFault;

export type ProofFault = 'right_signature_refused' | 'wrong_signature_not_refused';

/** The outcome of an attempt: the status of the answer, or why there was none; of a proof that failed by an answer, both. Never holds text of the receiver. */
export type AttemptOutcome = { readonly status?: number; readonly error?: AttemptError };

/** The facts of the stream `deliverylog-<endpointId>`, appended in batches, kept 30 days. Times in epoch milliseconds. */
export type DeliveryEvent =
  | DomainEvent<'DeliveryAdded', { readonly at: number; readonly deliveryId: string; readonly clientId: ClientId; readonly message: WebhookMessage }>
  /** `attempt` counts from 1. After it, the delivery has ended, or the next attempt is due at `nextAt`. */
  | DomainEvent<
      'DeliveryAttempted',
      AttemptOutcome & {
        readonly at: number;
        readonly deliveryId: string;
        readonly attempt: number;
        readonly end?: DeliveryEnd;
        readonly nextAt?: number;
      }
    >
  /** The delivery ended without a further attempt. */
  | DomainEvent<'DeliveryEnded', { readonly at: number; readonly deliveryId: string; readonly end: DeliveryEnd }>
  /**
   * Staff retried the delivery: it is due now, and its schedule begins anew. `again` repeats the facts of its addition, because that event
   * may expire before the new schedule ends.
   */
  | DomainEvent<'DeliveryRetried', { readonly at: number; readonly deliveryId: string; readonly again: RetriedDelivery }>;

export type RetriedDelivery = {
  readonly clientId: ClientId;
  readonly message: WebhookMessage;
  /** All attempts made so far. */
  readonly attempts: number;
};
