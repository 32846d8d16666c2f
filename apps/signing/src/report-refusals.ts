import type { ContainerRefusals } from '#domain/session';
import type { Log, Metrics } from '#telemetry';

/** Writes a line for each container that cannot be built, and counts them by the rule that they break. */
export const reportRefusals = (log: Log, metrics: Metrics): ContainerRefusals => ({
  refused(sessionId, { rule, reason }) {
    log.error('a container cannot be built', { component: 'signing', sessionId, reason });
    metrics.refusedContainers.inc({ rule });
  },
});
