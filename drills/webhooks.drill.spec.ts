import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { expectOk, type Phone, pause, RelyingParty, ServiceProcess, Staff } from '../conformance/support/index.js';
import { Journal } from './journal.js';
import { type Attempt, Load } from './load.js';
import { WebhookReceiver } from './webhook-receiver.js';

const ROUNDS = 3;
const USERS = 4;
const TOLD: Readonly<Record<string, string>> = {
  SessionScanned: 'session.scanned',
  SessionConfirmed: 'session.confirmed',
  SessionCompleted: 'session.completed',
  SessionCancelled: 'session.cancelled',
  SessionExpired: 'session.expired',
};
const TERMINAL = new Set(['succeeded', 'lapsed', 'superseded', 'exhausted', 'disabled']);
/** Longer than the interactive schedule, and than the second step of the standard one. Milliseconds. */
const PATIENCE = 90_000;

interface Delivery {
  readonly deliveryId: string;
  readonly sessionId: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: readonly { readonly status?: number; readonly error?: string }[];
}

interface Endpoint {
  readonly path: string;
  readonly receiver: WebhookReceiver;
}

let service: ServiceProcess;
let staff: Staff;
let client: RelyingParty;
let phones: Phone[];
/** One that takes everything, one that refuses some of it at first, one that cuts the connection. */
let endpoints: Endpoint[];
const attempts: Attempt[] = [];

beforeAll(async () => {
  service = await ServiceProcess.start('webhooks', { SESSION_TTL: '600' });
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  phones = await Promise.all(Array.from({ length: USERS }, () => staff.newPhone()));
  const receivers = [
    await WebhookReceiver.open(),
    await WebhookReceiver.open((response) => void response.writeHead(500).end()),
    await WebhookReceiver.open((response) => void response.destroy()),
  ];
  endpoints = await Promise.all(
    receivers.map(async (receiver) => {
      const list = `/clients/${client.clientId}/webhook-endpoints`;
      const { endpointId } = await staff.ask('POST', list, { url: receiver.url });
      return { receiver, path: `${list}/${endpointId as string}` };
    }),
  );
});

afterAll(async () => {
  await service.stop();
  for (const { receiver } of endpoints) receiver.close();
});

const load = async (milliseconds: number, end: () => Promise<void>): Promise<void> => {
  const users = new Load(new Journal());
  const working = phones.map((phone, index) => users.user(client, phone, index % 2 === 0));
  await pause(milliseconds);
  await end();
  await Promise.all(working);
  attempts.push(...users.attempts);
};

const deliveriesOf = async ({ path }: Endpoint): Promise<readonly Delivery[]> => {
  const found: Delivery[] = [];
  for (let after = ''; ; ) {
    const page = await staff.ask('GET', `${path}/deliveries?limit=100${after}`);
    found.push(...(page['deliveries'] as Delivery[]));
    if (page['next'] === undefined) return found;
    after = `&after=${page['next'] as string}`;
  }
};

/** What the streams say was to be told: type and session, once for each event. */
const happened = async (): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const { login } of attempts) {
    if (!login) continue;
    const events = expectOk(await staff.timeline(login.sessionId))['events'] as readonly { readonly type: string }[];
    all.push(...events.flatMap(({ type }) => (TOLD[type] === undefined ? [] : [`${TOLD[type]} ${login.sessionId}`])));
  }
  return all.toSorted();
};

/** All deliveries of an endpoint, once nothing that can end soon is pending any more. */
const settled = async (endpoint: Endpoint): Promise<readonly Delivery[]> => {
  for (const giveUpAt = Date.now() + PATIENCE; ; await pause(500)) {
    const deliveries = await deliveriesOf(endpoint);
    if (deliveries.length > 0 && deliveries.every(({ state }) => TERMINAL.has(state))) return deliveries;
    if (Date.now() > giveUpAt) return deliveries;
  }
};

const everythingTold = async (): Promise<void> => {
  // An event that was not yet handed over at the kill is handed over after the start.
  const told = await happened();
  for (const endpoint of endpoints) {
    const known = new Set(attempts.flatMap(({ login }) => login?.sessionId ?? []));
    const deliveries = (await settled(endpoint)).filter(({ sessionId }) => known.has(sessionId));
    // I5: one delivery for each event, in one terminal state; and what succeeded, the receiver has seen.
    expect(deliveries.map(({ type, sessionId }) => `${type} ${sessionId}`).toSorted()).toEqual(told);
    expect(deliveries.filter(({ state }) => !TERMINAL.has(state))).toEqual([]);
    const taken = endpoint.receiver.taken();
    for (const { deliveryId, state } of deliveries) if (state === 'succeeded') expect(taken).toContain(deliveryId);
    // I6: nothing else was sent.
    const stored = new Set(told);
    for (const { type, sessionId } of endpoint.receiver.received) if (known.has(sessionId)) expect(stored).toContain(`${type} ${sessionId}`);
  }
};

describe('kill -9 of the service while webhooks are under way', () => {
  it(`${ROUNDS} times: every event and endpoint ends in exactly one state`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      await load(600 + 300 * round, () => service.kill());
      await service.restart();
    }
    await everythingTold();
    console.log(`${attempts.length} logins, ${endpoints.map(({ receiver }) => receiver.received.length).join(' + ')} messages`);
  });
});

describe('the job table emptied', () => {
  it('while messages wait for their next attempt: they arrive all the same, each attempt counted', async () => {
    await load(1_500, () => service.kill());
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(service.dataDirectory, `jobs.sqlite${suffix}`), { force: true });
    await service.restart();
    await everythingTold();
    const [, refusing] = endpoints;
    const outcomes = (await deliveriesOf(refusing!)).map(({ attempts: made }) => made.map(({ status }) => status).join(' '));
    expect(outcomes).toContain('500 204');
    expect(outcomes.filter((outcome) => !/^(500 )*(204)?$/.test(outcome.replace(/500$/, '500 ')))).toEqual([]);
  });
});

describe('what a receiver that takes everything was told', () => {
  it('came in the order of the sessions, a repetition aside', () => {
    const highest = new Map<string, number>();
    const seen = new Set<string>();
    for (const { id, sessionId, sequence } of endpoints[0]!.receiver.received) {
      if (!seen.has(id)) expect(sequence).toBeGreaterThan(highest.get(sessionId) ?? -1);
      seen.add(id);
      highest.set(sessionId, Math.max(sequence, highest.get(sessionId) ?? -1));
    }
  });
});
