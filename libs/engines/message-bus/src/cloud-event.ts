import type { JsonObject } from '#kernel';

/**
 * A published event: CloudEvents 1.0.2. `id` is the stored event's, so a repetition has the same id. `subject` is the id of the session (or
 * other thing) that changed, and the key that keeps its events in order.
 */
export interface CloudEvent<Data extends JsonObject = JsonObject> {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  /** `session.confirmed` */
  readonly type: string;
  readonly subject: string;
  /** The time of the event: RFC 3339. */
  readonly time: string;
  /** Extension attribute: the revision of the event in the stream of its subject, from 0 and without gaps. Messages of a channel have 0, too. */
  readonly esrevision: number;
  /** Extension attribute "distributed tracing": the W3C trace context of the request that caused the event. */
  readonly traceparent?: string;
  readonly data: Data;
}
