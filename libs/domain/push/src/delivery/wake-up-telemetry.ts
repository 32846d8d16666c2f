import type { Log, Metrics } from '#telemetry';

import type { WakeUpObserver } from '../use-cases/send-wake-up.js';

/** Counts attempts to wake a phone, and logs the answers of push services that refuse one. */
export const wakeUpTelemetry =
  ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): WakeUpObserver =>
  (outcome, answer) => {
    metrics.pushWakeUps.inc({ outcome });
    if (outcome !== 'REFUSED' || !answer) return;
    log.warn('a push service refuses a wake-up', {
      component: 'push',
      ...('status' in answer ? { status: answer.status } : { reason: answer.error }),
    });
  };
