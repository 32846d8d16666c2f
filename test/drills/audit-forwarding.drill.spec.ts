import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { expectOk, NO_GIVEN_ENGINES, RelyingParty, runDirectory, StandaloneService, Staff } from '../support/index.js';
import { metric } from './support/metric.js';

/** How often the service is killed. */
const KILLS = 6;

interface Entry {
  readonly eventId: string;
  readonly sequence: number;
}

let service: StandaloneService;
let staff: Staff;
let receiver: Server;
let port = 0;
let isAway = false;
const received: Entry[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!isAway) received.push(...(JSON.parse(Buffer.concat(chunks).toString()) as { data: { entries: Entry[] } }).data.entries);
      response.writeHead(isAway ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
  const secret = join(runDirectory(), 'audit-secret');
  writeFileSync(secret, `whsec_${Buffer.alloc(32, 1).toString('base64')}\n`);
  service = await StandaloneService.start('audit-forwarding', {
    ...NO_GIVEN_ENGINES,
    AUDIT_WEBHOOK_URL: `http://127.0.0.1:${port}/audit`,
    AUDIT_WEBHOOK_SECRET_FILE: secret,
  });
  staff = new Staff(service);
});

afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** The sequence of the newest entry of the trail. */
const newest = async (): Promise<number> => {
  const { entries } = expectOk(await staff.call('GET', '/audit?limit=1')) as unknown as { readonly entries: readonly Entry[] };
  return entries[0]!.sequence;
};
/** Waits until the receiver has all entries up to now, and asserts that none is missing and that each has one id. */
const expectWhole = async (): Promise<void> => {
  const last = await newest();
  await eventually(() => received.some(({ sequence }) => sequence === last), { what: `entry ${last}`, within: 90_000 });
  const ids = new Map<number, Set<string>>();
  for (const { sequence, eventId } of received) ids.set(sequence, (ids.get(sequence) ?? new Set()).add(eventId));
  expect([...ids.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: last + 1 }, (_, sequence) => sequence));
  expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
};

describe('the audit trail that is forwarded', () => {
  it('arrives whole', async () => {
    await RelyingParty.register(service);
    await expectWhole();
  });

  it('waits while the receiver takes nothing, which a metric tells, and arrives afterwards', async () => {
    isAway = true;
    await RelyingParty.register(service);
    const lag = (): Promise<number | undefined> => metric({ url: service.baseUrls[0]! }, 'audit_forwarding_lag_seconds', { target: 'webhook' });
    await eventually(async () => ((await lag()) ?? 0) > 0, { what: 'a lag', within: 60_000 });
    isAway = false;
    await expectWhole();
    await eventually(async () => (await lag()) === 0, { what: 'no lag', within: 60_000 });
  });

  it(`arrives whole when the service is killed ${KILLS} times`, async () => {
    const before = received.length;
    for (let kill = 0; kill < KILLS; kill++) {
      const known = received.length;
      for (let change = 0; change < 5; change++) await RelyingParty.register(service);
      // In turn before, while and after the receiver takes the entries.
      if (kill % 2 === 1) await eventually(() => received.length > known, { what: 'an entry', within: 60_000 });
      await service.kill();
      await service.restart();
    }
    await expectWhole();
    expect(received.length).toBeGreaterThanOrEqual(before + KILLS * 10);
  });
});
