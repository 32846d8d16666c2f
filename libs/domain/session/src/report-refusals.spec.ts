import { describe, expect, it, jest } from '@jest/globals';

import type { SessionId } from '#kernel';
import { type Log, Metrics, SilentLog } from '#telemetry';

import { reportRefusals } from './report-refusals.js';

const SESSION = 'ffffffff-0000-4000-8000-000000000000' as SessionId;

describe('a container that cannot be built', () => {
  it('is counted by the rule that it breaks, and its reason is logged', async () => {
    const log: Log = new SilentLog();
    const metrics = new Metrics();
    const logged = jest.spyOn(log, 'error');
    const refusals = reportRefusals({ log, metrics });
    refusals.refused(SESSION, { rule: 'trust', reason: 'the chain ends at no trust anchor' });
    refusals.refused(SESSION, { rule: 'trust', reason: 'the chain ends at no trust anchor' });
    expect((await metrics.refusedContainers.get()).values).toEqual([{ labels: { rule: 'trust' }, value: 2 }]);
    expect(logged).toHaveBeenCalledWith('a container cannot be built', expect.objectContaining({ sessionId: SESSION }));
  });
});
