import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { expectError, expectOk, SigningClient, RelyingParty, runDirectory, StandaloneService, Staff } from '../support/index.js';
import { Canary } from './support/canary.js';
import { addHostileEndpoints, ALLOWED, CANARY, NAMES, PORT } from './support/hostile-endpoints.js';
import { hugeBody } from './support/receiver-faults.js';
import { TestAuthority } from './support/test-authority.js';
import { type Delivery, deliveryViolations, orderViolations, requiredMessages } from './support/webhook-checker.js';
import type { Endpoint } from './support/webhook-endpoint.js';
import { WebhookTime } from './support/webhook-time.js';

const TIME_LIMIT = 300_000;
/** Seconds between the steps of a session, on a busy machine too. */
const LONGEST_SESSION = 60;
/** Seconds between the attempts. */
const STEPS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

let service: StandaloneService;
let staff: Staff;
let client: RelyingParty;
let time: WebhookTime;
let canary: Canary;
let byName: (name: string) => Endpoint;
let endpoints: readonly Endpoint[] = [];
const huge = hugeBody();

beforeAll(async () => {
  const authority = await TestAuthority.found();
  const trusted = join(runDirectory(), 'drill-authority.pem');
  writeFileSync(trusted, authority.pem);
  canary = await Canary.open(CANARY, PORT);
  service = await StandaloneService.start('webhook-receivers', {
    SESSION_TTL: '600',
    WEBHOOK_ALLOWED_NETWORKS: `${ALLOWED}.0/24`,
    NODE_EXTRA_CA_CERTS: trusted,
    // A proxy could forward a message anywhere, so webhooks use none.
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://${CANARY}:${PORT}`,
    HTTPS_PROXY: `http://${CANARY}:${PORT}`,
    NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/drills/support/rebinding-resolver.mjs')).href}`,
    DRILL_NAMES: JSON.stringify(NAMES),
  });
  staff = new Staff(service);
  time = new WebhookTime(service);
  client = await RelyingParty.register(service);
  endpoints = await addHostileEndpoints({ staff, client, authority, huge });
  byName = (name) => endpoints.find((endpoint) => endpoint.name === name)!;
});

afterAll(async () => {
  await service?.stop();
  canary?.close();
  for (const receiver of new Set(endpoints.map((endpoint) => endpoint.receiver))) receiver.close();
});

/** A login, one that is declined, one that is called off, and a signature. */
const sessions = async (): Promise<{ all: string[]; signings: Set<string> }> => {
  const phone = await staff.newPhone();
  const login = await client.completed(phone);
  const declined = await client.scanned(phone);
  expectOk(await phone.decline(declined.sessionId));
  const calledOff = await client.login();
  expect((await client.cancel(calledOff)).status).toBe(204);
  const signed = await SigningClient.of(client).completed(phone);
  return { all: [login, declined, calledOff, signed].map(({ sessionId }) => sessionId), signings: new Set([signed.sessionId]) };
};

const interactive = ({ type }: Delivery): boolean => type === 'session.scanned' || type === 'session.confirmed';
const outcomes = ({ attempts }: Delivery): unknown[] => attempts.map(({ status, error }) => status ?? error);
/** Asserts that a message that the next step of the session outdates was tried at once, and once more where the session took longer than five seconds. */
const expectOutdated = (delivery: Delivery, state: string, outcome: unknown): void => {
  expect([delivery.state, ...new Set(outcomes(delivery))]).toEqual([state, outcome]);
  expect(delivery.attempts.length).toBeLessThanOrEqual(STEPS.filter((step) => step < LONGEST_SESSION).length);
};
/** The value of a metric, by its exact name and labels. */
const measured = async (name: string): Promise<number> => {
  const { text } = await service.sendUnchecked({ method: 'GET', path: '/metrics' });
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
};

describe('receivers of every kind', () => {
  it('each event ends in exactly one state at each endpoint, and every received message is stored', async () => {
    const { all, signings } = await sessions();
    const hanging = byName('hangs');
    await time.untilAllEnded(
      endpoints.filter((endpoint) => endpoint !== hanging),
      TIME_LIMIT,
    );
    await hanging.change({ enabled: false });
    await time.untilAllEnded([hanging], TIME_LIMIT);

    const required = await requiredMessages(staff, all, signings);
    expect(required).toHaveLength(8);
    const violations: string[] = [];
    for (const endpoint of endpoints) {
      const { name, deliveries } = await endpoint.history();
      const wanted = required.filter(({ type, sessionId }) => {
        if (name === '500, scans only') return type === 'session.scanned';
        // It is an enabled endpoint until it has said 410, a moment after the first message.
        return name !== '410' || deliveries.some((delivery) => delivery.type === type && delivery.sessionId === sessionId);
      });
      expect(wanted).not.toEqual([]);
      // The names share a receiver: each message that it saw is of one of them.
      const ids = new Set(deliveries.map(({ deliveryId }) => deliveryId));
      const received = endpoint.receiver.received.filter(({ id }) => !(name in NAMES) || ids.has(id));
      violations.push(...deliveryViolations(wanted, { name, deliveries, received }));
    }
    expect(violations).toEqual([]);
    console.log(
      (
        await Promise.all(endpoints.map(async (endpoint) => `${endpoint.name}: ${counted((await endpoint.deliveries()).map(({ state }) => state))}`))
      ).join('\n'),
    );
  });

  it('no request reached a forbidden address', async () => {
    expect(canary.connections).toBe(0);
    expect(await measured('webhook_attempts_total{outcome="unreachable_address"}')).toBeGreaterThan(20);
    for (const url of [`http://${CANARY}:${PORT}/`, `https://${CANARY}:${PORT}/`, 'http://169.254.169.254/']) {
      expectError(await staff.call('POST', byName('https').path.replace(/\/[^/]+$/, ''), { url }), 400, 'invalid_request');
    }
  });

  it.each(['takes everything', 'https', 'slow body', '10 MB body'])(
    '%s: every message arrived at the first attempt, in the order of each session',
    async (name) => {
      const endpoint = byName(name);
      for (const delivery of await endpoint.deliveries()) expect([delivery.state, delivery.attempts.length]).toEqual(['succeeded', 1]);
      expect(orderViolations({ name, received: endpoint.receiver.received })).toEqual([]);
    },
  );

  it.each(['hangs at first', 'slow-loris at first'])('%s: the attempt was cut off, and the messages arrived later', async (name) => {
    for (const delivery of await byName(name).deliveries()) {
      const [first, ...later] = outcomes(delivery);
      expect(first).toBe('timeout');
      if (interactive(delivery)) expect([delivery.state, later]).toEqual(['superseded', []]);
      else expect([delivery.state, later]).toEqual(['succeeded', [204]]);
    }
  });

  it.each<[string, unknown]>([
    ['500', 500],
    ['expired certificate', 'tls_failed'],
    ['redirect to metadata', 302],
    ['redirect inside', 307],
    ['resets', 'connection_failed'],
    ['429', 429],
    ['inside.drill.example', 'unreachable_address'],
    ['also-inside.drill.example', 'unreachable_address'],
  ])('%s: a message that has to arrive was tried ten times, each no sooner than its wait', async (name, outcome) => {
    for (const delivery of await byName(name).deliveries()) {
      if (interactive(delivery)) {
        expectOutdated(delivery, 'superseded', outcome);
        continue;
      }
      expect([delivery.state, outcomes(delivery)]).toEqual(['exhausted', Array.from(STEPS, () => outcome)]);
      delivery.attempts.slice(1).forEach(({ at }, index) => {
        const step = STEPS[index + 1]!;
        const least = name === '429' ? Math.min(Math.max(3_600, step), 2 * step) : 0.8 * step;
        expect(at - delivery.attempts[index]!.at).toBeGreaterThanOrEqual(least - 1);
      });
    }
  });

  it('500, scans only: a message about a session that has moved on lapses', async () => {
    for (const delivery of await byName('500, scans only').deliveries()) expectOutdated(delivery, 'lapsed', 500);
  });

  it('a name that changes its address: was reached at the permitted address once, and never at the forbidden one', async () => {
    const all = (await byName('turns.drill.example').deliveries()).flatMap(outcomes);
    expect(all.filter((outcome) => outcome === 500)).toHaveLength(1);
    expect(all.filter((outcome) => outcome === 'unreachable_address')).toHaveLength(all.length - 1);
    expect(byName('turns.drill.example').receiver.received).toHaveLength(1);
  });

  it('410: the endpoint is disabled, and its pending deliveries have ended', async () => {
    const endpoint = byName('410');
    expect(await endpoint.shown()).toMatchObject({ enabled: false, disabledBecause: 'GONE' });
    for (const { state } of await endpoint.deliveries()) expect(state).toBe('disabled');
  });

  it('hangs: its pending deliveries have ended with the endpoint', async () => {
    const states = (await byName('hangs').deliveries()).map(({ state }) => state);
    expect(states).toContain('disabled');
    expect(await byName('hangs').shown()).toMatchObject({ enabled: false, disabledBecause: 'STAFF' });
  });

  it('500: the endpoint is disabled after five days without a success', async () => {
    const endpoint = byName('500');
    expect(await endpoint.shown()).toMatchObject({ enabled: true });
    await time.pass(5 * 86_400 - 75 * 3_600);
    await endpoint.ping();
    await eventually(async () => (await endpoint.shown())['enabled'] !== true, { what: 'the endpoint is disabled' });
    expect(await endpoint.shown()).toMatchObject({ enabled: false, disabledBecause: 'FAILING' });
    expect(await measured('webhook_endpoints_disabled_total{because="FAILING"}')).toBe(1);
  });
});

describe('a hundred answers of ten million bytes', () => {
  it('are not read, and take no memory', async () => {
    const endpoint = byName('10 MB body');
    const before = await measured('process_resident_memory_bytes');
    for (let count = 0; count < 100; count++) await endpoint.ping();
    const deliveries = (await endpoint.settled(60_000)).filter(({ type }) => type === 'endpoint.ping');
    const grown = (await measured('process_resident_memory_bytes')) - before;
    console.log(`1 GB offered, ${(grown / 1e6).toFixed(0)} MB grown`);
    expect(counted(deliveries.map(({ state }) => state))).toBe('100 succeeded');
    expect(huge.whole()).toBe(0);
    expect(grown).toBeLessThan(150_000_000);
  });
});

const counted = (states: readonly string[]): string =>
  [...new Set(states)].map((state) => `${states.filter((each) => each === state).length} ${state}`).join(', ');
