import { describe, expect, it } from '@jest/globals';

import { SessionNotFound, type SessionState, WaitTimedOut } from './index.js';
import { refused } from '../../../../testkit/relying-party-client/scripted-service.js';
import {
  SESSION_ID,
  PENDING,
  SCANNED,
  CONFIRMED,
  HELD,
  service,
  pauses,
  client,
  clientWith,
  caught,
  useScriptedService,
} from '../../../../testkit/relying-party-client/scripted-client.js';

useScriptedService();

describe('waits for the user', () => {
  it('asks the service to hold the answer until the status is later than the one seen', async () => {
    service.willAnswer({ ...SCANNED, ...HELD });
    await expect(client.waitForChange(SESSION_ID, { since: 'PENDING' })).resolves.toMatchObject({ status: 'SCANNED' });
    expect(service.seen[0]).toMatchObject({ path: `/relying-party/v1/session/${SESSION_ID}/status?since=PENDING`, headers: { prefer: 'wait=25' } });
    expect(pauses).toEqual([]);
  });

  it('does not miss a change from before the call', async () => {
    service.willAnswer({ ...CONFIRMED, ...HELD });
    await expect(client.waitUntilSettled(SESSION_ID)).resolves.toBe('CONFIRMED');
    expect(service.seen[0]?.path).toContain('?since=PENDING');
  });

  it('polls every 2 s where the answer is not held', async () => {
    service.willAnswer(PENDING, PENDING, PENDING, SCANNED);
    await expect(client.waitForChange(SESSION_ID)).resolves.toMatchObject({ status: 'SCANNED' });
    expect(pauses).toEqual([2000, 2000, 2000]);
    expect(service.seen.map(({ path }) => path.split('?')[1])).toEqual(Array(4).fill('since=PENDING'));
  });

  it('answers the unchanged status when there is no time left for another poll', async () => {
    service.willAnswer(PENDING);
    await expect(client.waitForChange(SESSION_ID, { since: 'PENDING', waitSeconds: 1 })).resolves.toMatchObject({ status: 'PENDING' });
    expect(service.seen).toHaveLength(1);
  });

  it('does not poll in a loop when a held answer arrives early and unchanged', async () => {
    service.willAnswer({ ...PENDING, ...HELD }, { ...SCANNED, ...HELD });
    await client.waitForChange(SESSION_ID, { since: 'PENDING' });
    expect(pauses).toEqual([2000]);
  });

  it.each(['CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'])('ends with %s after reporting every change once', async (settled) => {
    service.willAnswer({ ...PENDING, ...HELD }, { ...PENDING, ...HELD }, { ...SCANNED, ...HELD }, { status: 200, body: { status: settled } });
    const changes: SessionState[] = [];
    await expect(client.waitUntilSettled(SESSION_ID, { onChange: (state) => changes.push(state) })).resolves.toBe(settled);
    expect(changes.map(({ status }) => status)).toEqual(['SCANNED', settled]);
  });

  it('keeps waiting while the service is unavailable', async () => {
    const busy = refused(503, 'service_unavailable', { 'retry-after': '1' });
    service.willAnswer(busy, busy, busy, { status: 0, dropped: true }, CONFIRMED);
    await expect(client.waitUntilSettled(SESSION_ID)).resolves.toBe('CONFIRMED');
  });

  it('ends at a refusal that is not temporary', async () => {
    service.willAnswer(PENDING, refused(404, 'session_not_found'));
    await caught(client.waitUntilSettled(SESSION_ID), SessionNotFound);
  });

  it('throws WaitTimedOut when the time is up first', async () => {
    service.willAnswer({ ...PENDING, ...HELD });
    await caught(clientWith({ pollIntervalMs: 1 }).waitUntilSettled(SESSION_ID, { timeoutMs: 20 }), WaitTimedOut);
  });

  it('stops waiting at the signal of the caller', async () => {
    service.willAnswer(PENDING);
    const stop = new AbortController();
    const waiting = clientWith({
      pause: async (_milliseconds, signal) => {
        stop.abort(new Error('the page was closed'));
        signal?.throwIfAborted();
      },
    }).waitUntilSettled(SESSION_ID, { signal: stop.signal });
    await expect(waiting).rejects.toThrow('the page was closed');
  });
});
