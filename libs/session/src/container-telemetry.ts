import type { Metrics } from '#telemetry';

import type { ContainerWait } from './container-wait.js';

/** Measures each wait for a container that it is told of. */
export const containerTelemetry =
  ({ containerDelay }: Metrics) =>
  ({ outcome, milliseconds }: ContainerWait): void =>
    containerDelay.observe({ outcome }, milliseconds / 1_000);
