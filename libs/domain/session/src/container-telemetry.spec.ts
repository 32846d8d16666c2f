import { describe, expect, it, jest } from '@jest/globals';

import type { SessionId } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { containerTelemetry } from './container-telemetry.js';

const SESSION = 'ffffffff-0000-4000-8000-000000000000' as SessionId;

describe('the telemetry of containers', () => {
  it('measures each wait, and logs the session whose container was not built in time', async () => {
    const log = new SilentLog();
    const metrics = new Metrics();
    const logged = jest.spyOn(log, 'error');
    const waited = containerTelemetry({ log, metrics });
    waited({ outcome: 'built', milliseconds: 1_500 }, SESSION);
    expect(logged).not.toHaveBeenCalled();
    waited({ outcome: 'late', milliseconds: 60_000 }, SESSION);
    expect(logged.mock.calls).toEqual([['a container was not built in time', { component: 'signing', sessionId: SESSION }]]);
    const shown = await metrics.registry.getSingleMetricAsString('signing_container_delay_seconds');
    expect(shown).toContain('signing_container_delay_seconds_sum{outcome="built"} 1.5');
    expect(shown).toContain('signing_container_delay_seconds_sum{outcome="late"} 60');
  });
});
