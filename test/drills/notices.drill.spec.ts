import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import type { Topology } from '../../testkit/topologies/topology.ts';
import { type Person, type Phone, type Service, Staff } from '../support/index.js';
import { startDistributed } from './support/distributed.js';
import { NotifiedClient } from './support/notified-client.js';
import { untilAnswered } from './support/retry.js';
import { inTurns } from './support/stored-sessions.js';

const CLIENTS = 2;
const USERS = 4;
const ROUNDS = 2;
/** Logins between a kill and the start after it, and between that start and the next kill. */
const LOGINS_BETWEEN = 5;
/** How often {@link killEach} lets work go on. */
const STEPS = 6;
/** Persons who are erased in one step, and as many who ask for a log-out. */
const LOGGED_OUT = 2;
/** Longer than the replicas take to notice a dead process (25 s), and than the schedules take for a notice that is refused once. Milliseconds. */
const TIME_LIMIT = 180_000;

let topology: Topology;
let service: Service;
let staff: Staff;
let clients: NotifiedClient[];

beforeAll(async () => {
  ({ topology, service } = await startDistributed('notices', { IDLE_GRACE: '0' }, { replicated: ['webhook-dispatcher'], openid: true }));
  staff = new Staff(service);
  clients = await Promise.all(Array.from({ length: CLIENTS }, () => NotifiedClient.register(service)));
});

afterAll(async () => {
  for (const { receiver } of clients ?? []) receiver.close();
  await topology?.kill();
});

/** What clients were not told, or should not have been told, once all notices have had the time to arrive. */
const violations = async (): Promise<string[]> => {
  const found = () => clients.flatMap((client) => client.violations());
  await eventually(() => found().length === 0, { what: 'every client is told', within: TIME_LIMIT }).catch(() => undefined);
  return found();
};

/** Kills one dispatcher, the other one, and both, and starts them again. `under`: resolves when work went on for a while. */
const killEach = async (under: () => Promise<void>): Promise<void> => {
  const [one, other] = topology.of('webhook-dispatcher');
  for (const killed of [[one!], [other!], [one!, other!]]) {
    await under();
    await Promise.all(killed.map((replica) => replica.kill()));
    await under();
    await Promise.all(killed.map((replica) => replica.start()));
  }
};

describe('kill -9 of dispatchers while persons log in without a browser', () => {
  let running = true;

  const user = async (client: NotifiedClient, phone: Phone): Promise<void> => {
    const sub = await client.shop.subjectOf(phone);
    while (running) await client.logIn(phone, sub, 'approve');
    // Last, because a client waits for a minute after it.
    await client.logIn(phone, sub, 'decline');
  };
  const decided = (): number => clients.reduce((sum, client) => sum + client.decided.size, 0);
  const moreLogins = (): Promise<void> => {
    const before = decided();
    return eventually(() => decided() >= before + LOGINS_BETWEEN, { what: 'more logins', within: TIME_LIMIT });
  };

  it(`${ROUNDS} times of each, and of both: every ping arrives, with the token of its request, and at no other client`, async () => {
    const phones = await Promise.all(Array.from({ length: USERS }, () => staff.newPhone()));
    const users = Promise.all(phones.map((phone, index) => user(clients[index % CLIENTS]!, phone)));
    const kills = async (): Promise<void> => {
      for (let round = 1; round <= ROUNDS; round++) await killEach(moreLogins);
    };
    // A user who fails ends the test at once.
    await Promise.race([kills(), users]).finally(() => (running = false));
    await users;
    expect(await violations()).toEqual([]);
    expect(decided()).toBeGreaterThanOrEqual(ROUNDS * STEPS * LOGINS_BETWEEN + USERS);
    console.log(`${decided()} logins, ${clients.map(({ receiver }) => receiver.received.length).join(' + ')} pings`);
  });
});

/** Persons who have logged in at both clients. */
interface Known {
  readonly person: Person;
  readonly phone: Phone;
  readonly subs: readonly string[];
}

describe('kill -9 of dispatchers while persons are logged out', () => {
  const newPerson = async (): Promise<Known> => {
    const person = await staff.registerPerson();
    const phone = await staff.phoneOf(person);
    return { person, phone, subs: [await clients[0]!.shop.subjectOf(phone), await clients[1]!.shop.subjectOf(phone)] };
  };
  const erase = async ({ person, subs }: Known): Promise<void> => {
    subs.forEach((sub, index) => clients[index]!.loggedOut.add(sub));
    const answer = await untilAnswered(() => staff.call('DELETE', `/identities/${person.identityId}`));
    expect([204, 404]).toContain(answer.status);
  };
  /** By their own wish, at one of the clients alone. */
  const wish = async ({ phone, subs }: Known, index: number): Promise<void> => {
    const { shop, loggedOut } = clients[index]!;
    loggedOut.add(subs[index]!);
    expect((await untilAnswered(() => phone.call('POST', `/app/v1/clients/${shop.clientId}/logout`))).status).toBe(204);
  };

  it('of each, and of both: a logout token arrives for each erased person at every client, and for each wish at the client that it names', async () => {
    const known: Known[] = [];
    await inTurns(Array.from({ length: 2 * STEPS * LOGGED_OUT }), async () => void known.push(await newPerson()));
    const some = async (): Promise<void> => {
      for (let count = 0; count < LOGGED_OUT; count++) {
        await erase(known.pop()!);
        await wish(known.pop()!, count % CLIENTS);
      }
    };
    await killEach(some);
    expect(known).toEqual([]);
    expect(await violations()).toEqual([]);
    expect(clients.reduce((sum, { loggedOut }) => sum + loggedOut.size, 0)).toBe((CLIENTS + 1) * STEPS * LOGGED_OUT);
  });
});
