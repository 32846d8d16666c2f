import type { SessionId } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import type { ContainerWait } from './container-wait.js';

/** Measures each wait for a container that it is told of, and writes a line for each that ends without one. */
export const containerTelemetry =
  ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }) =>
  ({ outcome, milliseconds }: ContainerWait, sessionId: SessionId): void => {
    metrics.containerDelay.observe({ outcome }, milliseconds / 1_000);
    if (outcome === 'late') log.error('a container was not built in time', { component: 'signing', sessionId });
  };
