import { type EndpointId, inSpan, inTrace, type NewSpan, traceHeaders } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import type { PostOutcome } from './guarded-post.js';

/** Runs `send` in the trace of the event that the message announces. `send` gets the header for the receiver. */
export const traced = (
  endpointId: EndpointId,
  delivery: Delivery,
  send: (trace: ReturnType<typeof traceHeaders>) => Promise<PostOutcome>,
): Promise<PostOutcome> =>
  inTrace(delivery.message.traceparent, () =>
    inSpan(
      () => attemptSpan(endpointId, delivery),
      async (span) => {
        const outcome = await send(traceHeaders());
        span?.set('status' in outcome ? { 'http.response.status_code': outcome.status } : { 'error.type': outcome.error });
        return outcome;
      },
    ),
  );

/** The span does not name the address of the endpoint, because it belongs to the client. */
const attemptSpan = (endpointId: EndpointId, { deliveryId, attempts, message }: Delivery): NewSpan => ({
  name: `webhook ${message.type}`,
  kind: 'client',
  attributes: {
    'http.request.method': 'POST',
    'countersign.endpoint_id': endpointId,
    'countersign.delivery_id': deliveryId,
    'countersign.attempt': attempts + 1,
    ...(message.data.sessionId !== undefined && { 'countersign.session_id': message.data.sessionId }),
  },
});
