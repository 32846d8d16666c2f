import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Staff, StandaloneService } from '../support/index.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { LIMITS, mostEvents, runHostileMember } from './support/hostile-run.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const MIB = 1024 * 1024;
/** Of resident memory that a process may take beside that of before. */
const MEMORY = 512 * MIB;

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.open();
});
afterEach(() => receiver.close());

/** Resident memory of a process in bytes. */
const memoryOf = (pid: number | undefined): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;

describe('one member of a tenant who does all that a member may, at full speed', () => {
  let service: StandaloneService;
  beforeEach(async () => {
    service = await StandaloneService.start('hostile-member', { ...LIMITS, SANDBOX: 'false', LOG_LEVEL: 'warn', SESSION_TTL: '600' });
  });
  afterEach(() => service.kill());

  /** Streams and how many events they hold, the longest ones first. */
  const lengths = (): readonly { readonly stream: string; readonly events: number }[] => {
    using database = new DatabaseSync(join(service.dataDirectory, 'countersign.sqlite'), { readOnly: true });
    const query =
      'SELECT s.name AS stream, COUNT(*) AS events FROM events e JOIN streams s ON s.id = e.stream WHERE e.erased = 0 GROUP BY s.name ORDER BY events DESC';
    return database.prepare(query).all() as { stream: string; events: number }[];
  };

  it('stops no login and no call of another tenant, has no more than the limits give, and leaves no cost', async () => {
    const memory = (): number => memoryOf(service.pid);
    const before = memory();
    const at = { service, staff: new Staff(service), portal: service.loginOrigin, users: 10, processes: service.baseUrls, memory };
    const { mallory, beside } = await runHostileMember(at, receiver.url);
    expect(beside.memory - before).toBeLessThan(MEMORY);

    // What stays of streams that requests read from their beginning.
    await service.stop();
    const stored = lengths();
    console.log(
      stored
        .slice(0, 12)
        .map(({ stream, events }) => `${stream}: ${events} events`)
        .join('\n'),
    );
    for (const stream of ['portalmembers-all', `client-${mallory.clientId}`]) {
      const events = stored.find((found) => found.stream === stream)?.events ?? 0;
      expect([stream, events > 0 && events <= mostEvents()]).toEqual([stream, true]);
    }
  });
});

describe('the same over separate services', () => {
  let distributed: Distributed;
  beforeEach(async () => {
    distributed = await startDistributed(
      'hostile-member-services',
      { ...LIMITS, LOG_LEVEL: 'warn', SESSION_TTL: '600' },
      { replicated: [], portal: true },
    );
  });
  afterEach(() => distributed.topology.kill());

  it('stops no login and no call of another tenant, and has no more than the limits give', async () => {
    const { service, topology } = distributed;
    const memory = (): number => Math.max(...topology.replicas.map(({ pid }) => memoryOf(pid)));
    const before = memory();
    const portal = new URL(topology.settings['PORTAL_URL']!).origin;
    const processes = topology.replicas.map(({ url }) => url);
    const { beside } = await runHostileMember({ service, staff: new Staff(service), portal, users: 2, processes, memory }, receiver.url);
    expect(beside.memory - before).toBeLessThan(MEMORY);
  });
});
