import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { MemoryStatusCache } from '#testkit/session/status/memory-status-cache';

import { sessionApiFixture } from './session-api.fixture.js';
import { statusContract } from './status.contract.js';

describe('given two replicas with one cache of statuses', () => {
  let shared: MemoryStatusCache;
  beforeEach(() => {
    shared = new MemoryStatusCache();
  });
  statusContract(async () => shared);
});

describe('given a cache of statuses that is lost', () => {
  let shared: MemoryStatusCache;
  let api: Awaited<ReturnType<typeof sessionApiFixture>>;
  beforeEach(async () => {
    shared = new MemoryStatusCache();
    api = await sessionApiFixture(await sessionFixture({ statusCache: shared }));
  });
  afterEach(() => api.close());

  const statusOf = async (sessionId: string): Promise<unknown> => (await api.call('GET', `/session/${sessionId}/status`)).body.status;

  it('reads the stream for each poll, and answers its status', async () => {
    const sessionId = await api.create();
    shared.isAvailable = false;
    expect(await statusOf(sessionId)).toBe('PENDING');
    await api.scan(sessionId);
    expect(await statusOf(sessionId)).toBe('SCANNED');
  });

  it('answers a long poll by reading the stream', async () => {
    const sessionId = await api.create();
    shared.isAvailable = false;
    const poll = api.call('GET', `/session/${sessionId}/status`, undefined, { prefer: 'wait=30' });
    await api.scan(sessionId);
    expect((await poll).body.status).toBe('SCANNED');
  });

  it('writes the missed statuses once the cache is back', async () => {
    const sessionId = await api.create();
    shared.isAvailable = false;
    expect((await api.call('DELETE', `/session/${sessionId}`)).status).toBe(204);
    shared.isAvailable = true;
    await eventually(async () => (await shared.get(sessionId as never))?.status === 'CANCELLED');
    expect(await statusOf(sessionId)).toBe('CANCELLED');
  });

  it('decides nothing on it: a completion follows the stream, not the cache', async () => {
    const sessionId = await api.create();
    const kept = (await shared.get(sessionId as never))!;
    await shared.put(sessionId as never, { ...kept, revision: 99, status: 'CONFIRMED' });
    expect(await statusOf(sessionId)).toBe('CONFIRMED');
    const { status, body } = await api.call('POST', `/session/${sessionId}/completion`);
    expect([status, body.errorCode]).toEqual([409, 'session_not_confirmed']);
  });
});
