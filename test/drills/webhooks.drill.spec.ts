import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Phone, pause, RelyingParty, StandaloneService, Staff } from '../support/index.js';
import { Journal } from './support/journal.js';
import { type Attempt, Load } from './support/load.js';
import { deliveryViolations, orderViolations, requiredMessages } from './support/webhook-checker.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { refusesSome, takesEverything, WebhookReceiver } from './support/webhook-receiver.js';

const ROUNDS = 3;
const USERS = 4;
/** Longer than the interactive schedule, and than the second step of the standard one. Milliseconds. */
const TIME_LIMIT = 90_000;

let service: StandaloneService;
let staff: Staff;
let client: RelyingParty;
let phones: Phone[];
/** One accepts everything, one refuses some messages at first, one cuts the connection. */
let endpoints: Endpoint[];
const attempts: Attempt[] = [];

beforeAll(async () => {
  service = await StandaloneService.start('webhooks', { SESSION_TTL: '600' });
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  phones = await Promise.all(Array.from({ length: USERS }, () => staff.newPhone()));
  const behaviours = {
    'takes everything': takesEverything,
    'refuses some': refusesSome((response) => void response.writeHead(500).end()),
    'cuts some off': refusesSome((response) => void response.destroy()),
  };
  endpoints = await Promise.all(
    Object.entries(behaviours).map(async ([name, behave]) => Endpoint.add(staff, client, { name, receiver: await WebhookReceiver.open({ behave }) })),
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

const expectAllTold = async (): Promise<void> => {
  const required = await requiredMessages(
    staff,
    attempts.flatMap(({ login }) => login?.sessionId ?? []),
  );
  const violations: string[] = [];
  for (const endpoint of endpoints) {
    // An event that was not yet handed over at the kill is handed over after the start.
    await endpoint.settled(TIME_LIMIT);
    violations.push(...deliveryViolations(required, await endpoint.history()));
  }
  expect(violations).toEqual([]);
};

describe('kill -9 of the service while webhooks are under way', () => {
  it(`${ROUNDS} times: every delivery ends in exactly one state`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      await load(600 + 300 * round, () => service.kill());
      await service.restart();
    }
    await expectAllTold();
    console.log(`${attempts.length} logins, ${endpoints.map(({ receiver }) => receiver.received.length).join(' + ')} messages`);
  });
});

describe('after the loss of the job table', () => {
  it('messages that wait for their next attempt arrive nevertheless, each attempt counted', async () => {
    await load(1_500, () => service.kill());
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(service.dataDirectory, `jobs.sqlite${suffix}`), { force: true });
    await service.restart();
    await expectAllTold();
    const [, refusing] = endpoints;
    const outcomes = (await refusing!.deliveries()).map(({ attempts: made }) => made.map(({ status }) => status).join(' '));
    expect(outcomes).toContain('500 204');
    expect(outcomes.filter((outcome) => !/^(500 )*(204)?$/.test(outcome.replace(/500$/, '500 ')))).toEqual([]);
  });
});

describe('the messages of a receiver that accepts everything', () => {
  it('came in the order of each session’s events, except for repetitions', () => {
    expect(orderViolations({ name: endpoints[0]!.name, received: endpoints[0]!.receiver.received })).toEqual([]);
  });
});
