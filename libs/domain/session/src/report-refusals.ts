import type { Log, Metrics } from '#telemetry';

import type { ContainerRefusals } from './use-cases/build-signature.js';

/** Writes a line for each container that cannot be built, and counts them by the rule that they break. */
export const reportRefusals = ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): ContainerRefusals => ({
  refused(sessionId, { rule, reason }) {
    log.error('a container cannot be built', { component: 'signing', sessionId, reason });
    metrics.refusedContainers.inc({ rule });
  },
});
