import type { ClientId, EndpointId } from '#kernel';
import type { DisabledBecause } from '#domain/relying-party';
import type { Log, Metrics } from '#telemetry';

import type { AttemptOutcome, DeliveryEnd } from '../domain/delivery.events.js';
import type { ProofFailure } from '../domain/proof.js';
import type { DeliveryObserver } from '../use-cases/attempt-delivery.js';

const COMPONENT = 'webhook-dispatcher';

/** Counts outcomes, and logs those that an operator should see. */
export class DeliveryTelemetry implements DeliveryObserver {
  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  begun(_endpointId: EndpointId, delay: number): void {
    this.metrics.webhookDelay.observe({}, delay / 1000);
  }

  attempted(_endpointId: EndpointId, { status, error }: AttemptOutcome): void {
    this.metrics.webhookAttempts.inc({ outcome: status === undefined ? (error ?? 'none') : `${Math.floor(status / 100)}xx` });
  }

  ended(endpointId: EndpointId, end: DeliveryEnd): void {
    this.metrics.webhookDeliveries.inc({ end });
    if (end === 'exhausted') this.log.warn('webhook given up', { component: COMPONENT, endpointId });
  }

  proved(clientId: ClientId, endpointId: EndpointId, failure: ProofFailure | undefined): void {
    this.metrics.webhookProofs.inc({ outcome: failure?.because ?? 'CONFIRMED' });
    this.log.info(failure ? 'webhook endpoint not confirmed' : 'webhook endpoint confirmed', {
      component: COMPONENT,
      clientId,
      endpointId,
      ...(failure && { reason: failure.because }),
    });
  }

  disabled(clientId: ClientId, endpointId: EndpointId, because: DisabledBecause): void {
    this.metrics.webhookEndpointsDisabled.inc({ because });
    this.log.warn('webhook endpoint disabled', { component: COMPONENT, clientId, endpointId, reason: because });
  }
}
