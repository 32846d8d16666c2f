import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { type Answer, Browser, givenStoreCanBeKilled, pause, RelyingParty, type Service } from '../support/index.js';
import type { Topology } from '../../testkit/topologies/topology.ts';
import { History } from './support/history.js';
import { type Attempt, create } from './support/load.js';
import { interrupted, newAttempts, oneSessionEach } from './support/repeated-creations.js';
import { Rig } from './support/rig.js';
import { serves } from './support/serves.js';
import { SlowLink } from './support/slow-link.js';
import { startStore } from './support/start-store.js';

/** Longer than an append is retried (5 s): then its caller gets 503. Milliseconds. */
const OUTAGE = 6_500;
/** The services work again within this time after the store's return (specification/reliability.md#drill-1). Milliseconds. */
const BACK = 5_000;

let rig: Rig;
let topology: Topology;
let service: Service;
/** Between session-api and the store, from the drill of the network on. */
let link: SlowLink | undefined;

beforeAll(async () => {
  rig = await Rig.start('store', {
    users: 6,
    kills: givenStoreCanBeKilled ? [] : ['ESDB_URL'],
    replicated: ['session-api', 'login-bff', 'event-relay'],
  });
  ({ topology, service } = rig);
});

afterAll(async () => {
  await rig?.stop();
  link?.close();
});

/** The number of sessions that a client has ever had. */
const sessionsOf = async ({ clientId }: RelyingParty): Promise<number> =>
  new Set((await rig.tap.read()).filter(({ type, content }) => type === 'session.created' && content.includes(clientId)).map(({ key }) => key)).size;

describe('kill -9 of the store', () => {
  it('during 200 simultaneous appends: 503 with Retry-After meanwhile, service again within five seconds, and one session for each repeated call', async () => {
    const history = rig.underLoad();
    const client = await RelyingParty.register(service);
    const attempts = newAttempts(client, rig.phones[0]!, 200);
    await pause(1_000);
    let killed = 0;
    const answers = await interrupted(service, attempts, async () => {
      await topology.store.kill();
      killed = performance.now();
    });
    const told = Map.groupBy(answers, (answer) => answer?.status);
    console.log(
      `200 appends: ${[...told].map(([status, same]) => `${same.length} × ${status}`).join(', ')}, the last ${Math.round(performance.now() - killed)} ms after the kill`,
    );
    expect([...told.keys()].sort()).toEqual([200, 503]);
    for (const answer of told.get(503)!) expect(Number(answer!.headers['retry-after'])).toBeGreaterThan(0);
    await pause(Math.max(0, killed + OUTAGE - performance.now()));

    await startStore(topology);
    const began = performance.now();
    await Promise.all(
      topology
        .of('session-api')
        .map((replica) => eventually(() => serves(replica, rig.clients[0]!), { what: `${replica.label} serves`, within: 30_000 })),
    );
    const back = performance.now() - began;
    const first = await create(attempts[0]!);
    const wrote = performance.now() - began;
    console.log(`reads again after ${Math.round(back)} ms, writes after ${Math.round(wrote)} ms`);
    expect(first.status).toBe(200);
    expect(wrote).toBeLessThan(BACK);

    await oneSessionEach(history, attempts, answers);
    await pause(2_000);
    await history.load.stop();
    expect(history.load.failures.filter((failure) => !/^503, Retry-After: [1-9]/.test(failure))).toEqual([]);
    expect(history.load.failures.length).toBeGreaterThan(0);
    expect(await history.violations()).toEqual([]);
    expect(await sessionsOf(client)).toBe(attempts.length);
  });

  it('for less time than an append is retried: appends under way are settled without a repetition by the client, all others by one', async () => {
    const history = rig.underLoad();
    await pause(1_000);
    const client = await RelyingParty.register(service);
    const attempts = newAttempts(client, rig.phones[0]!, 100);
    const answers = await interrupted(service, attempts, async () => {
      await topology.store.kill();
      await topology.store.start();
    });
    console.log(
      `100 appends: ${[...Map.groupBy(answers, (answer) => answer?.status)].map(([status, same]) => `${same.length} × ${status}`).join(', ')}`,
    );
    await oneSessionEach(history, attempts, answers);
    await history.load.stop();
    expect(await history.violations()).toEqual([]);
    expect(await sessionsOf(client)).toBe(attempts.length);
  });
});

describe('kill -9 of a session-api', () => {
  it('in the middle of requests: the other replica answers the repeated call with the same session', async () => {
    const history = rig.underLoad();
    const client = await RelyingParty.register(service);
    const attempts = newAttempts(client, rig.phones[0]!, 50);
    const [one] = topology.of('session-api');
    const answers = await interrupted(service, attempts, () => one!.kill());
    const lost = answers.filter((answer) => answer?.status !== 200).length;
    console.log(`50 appends, ${lost} without an answer`);
    expect(lost).toBeGreaterThan(0);
    await oneSessionEach(history, attempts, answers);
    await one!.start();
    await history.load.stop();
    expect(history.load.logins).toBeGreaterThan(0);
    expect(await history.violations()).toEqual([]);
    expect(await sessionsOf(client)).toBe(attempts.length);
  });
});

describe('single use, over two replicas', () => {
  /** The number of each answer. */
  const countsOf = (answers: readonly Answer[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { status, json } of answers) {
      const name = status === 200 ? '200' : `${status} ${json?.['errorCode'] as string}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  const fifty = <Result>(ask: () => Promise<Result>): Promise<Result[]> => Promise.all(Array.from({ length: 50 }, ask));
  const replicasThatTook = (path: RegExp): number => {
    const lines = readFileSync(join(topology.directory, 'gateway', 'access.log'), 'utf8')
      .trimEnd()
      .split('\n');
    return new Set(lines.slice(-50).flatMap((line) => (path.test(line) ? line.split(' ').at(-1)! : []))).size;
  };

  it('50 claims, completions and exchanges at once: one success each', async () => {
    const [client] = rig.clients;
    const [phone] = rig.phones;
    const login = await client!.login({ hosted_page: true });
    expect(countsOf(await fifty(() => new Browser(service).claim(login.handoffToken)))).toEqual({ 200: 1, '400 invalid_handoff': 49 });
    expect(replicasThatTook(/\/claim /)).toBe(2);
    expect((await phone!.scan(login.sessionId)).status).toBe(200);
    expect((await phone!.confirm(login.sessionId)).status).toBe(200);

    const completions = await fifty(() => client!.complete(login));
    expect(countsOf(completions)).toEqual({ 200: 1, '409 session_already_completed': 49 });
    expect(replicasThatTook(/\/completion /)).toBe(2);

    const code = new URL(completions.find(({ status }) => status === 200)!.json!['redirect'] as string).searchParams.get('code')!;
    expect(countsOf(await fifty(() => client!.token(code, login.verifier)))).toEqual({ 200: 1, '400 invalid_grant': 49 });
    expect(replicasThatTook(/\/token /)).toBe(2);
  });
});

describe('a bad network between session-api and the store', () => {
  /** Every caller has an answer within this time: an append is tried for five seconds, and so is the read before it. Milliseconds. */
  const BOUND = 15_000;
  beforeAll(async () => {
    const { hostname: host, port } = new URL(topology.store.url);
    const opened = await SlowLink.open({ host, port: Number(port) });
    link = opened;
    const url = topology.store.url.replace(`${host}:${port}`, `127.0.0.1:${opened.port}`);
    for (const replica of topology.of('session-api')) {
      await replica.stop();
      replica.environment = { ...replica.environment, ESDB_URL: url };
      await replica.start();
    }
  });

  /** Creates sessions until the time is up; answers the longest time of a call, and the number of each answer. */
  const creating = async (history: History, milliseconds: number): Promise<{ longest: number; told: Record<string, number> }> => {
    let longest = 0;
    const told: Record<string, number> = {};
    const giveUpAt = performance.now() + milliseconds;
    const one = async (): Promise<void> => {
      while (performance.now() < giveUpAt) {
        const [attempt] = newAttempts(rig.clients[0]!, rig.phones[0]!, 1) as [Attempt];
        const began = performance.now();
        const answer = await create(attempt);
        longest = Math.max(longest, Math.round(performance.now() - began));
        told[answer.status] = (told[answer.status] ?? 0) + 1;
        if (answer.status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        await oneSessionEach(history, [attempt], [answer]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return { longest, told };
  };

  it.each([
    ['500 ms of delay, there and back', { delay: 250, loss: 0 }],
    ['5 % of the packets lost', { delay: 5, loss: 0.05 }],
  ])('%s: slow, but correct', async (name, { delay, loss }) => {
    const history = new History(rig.staff, rig.tap);
    Object.assign(link!, { delay, loss });
    const { longest, told } = await creating(history, 8_000);
    Object.assign(link!, { delay: 0, loss: 0 });
    console.log(`${name}: ${JSON.stringify(told)}, the longest ${longest} ms`);
    expect(told).toEqual({ 200: expect.any(Number) });
    expect(longest).toBeGreaterThan(2 * delay);
    expect(longest).toBeLessThan(BOUND);
    expect(await history.violations()).toEqual([]);
  });

  it('cut for 30 s: 503 within a bounded time, no unknown outcome is reported as a success, and the service recovers without a restart', async () => {
    const history = rig.underLoad();
    await pause(1_000);
    const client = await RelyingParty.register(service);
    const attempts = newAttempts(client, rig.phones[0]!, 50);
    let cut = 0;
    const answers = await interrupted(service, attempts, async () => {
      link!.cut();
      cut = performance.now();
    });
    const bounded = performance.now() - cut;
    const told = Map.groupBy(answers, (answer) => answer?.status);
    expect([...told.keys()].sort()).toEqual([200, 503]);
    expect(bounded).toBeLessThan(BOUND);
    expect((await rig.phones[0]!.show()).status).toBe(200); // requests that need no session-api succeed
    await pause(Math.max(0, cut + 30_000 - performance.now()));

    link!.mend();
    const began = performance.now();
    const [probe] = newAttempts(client, rig.phones[0]!, 1) as [Attempt];
    await eventually(async () => (await create(probe)).status === 200, { what: 'a session is made', within: 30_000 });
    console.log(
      `50 appends: ${[...told].map(([status, same]) => `${same.length} × ${status}`).join(', ')}, all within ${Math.round(bounded)} ms; goes on ${Math.round(performance.now() - began)} ms after the cut`,
    );
    await oneSessionEach(history, attempts, answers);
    await history.load.stop();
    expect(history.load.failures.filter((failure) => !/^503, Retry-After: [1-9]/.test(failure))).toEqual([]);
    expect(await history.violations()).toEqual([]);
    expect(await sessionsOf(client)).toBe(attempts.length + 1);
  });
});

describe('after all of it', () => {
  it("no client sees another's sessions, and no secret is in a log, the store, Kafka or Redis", async () => {
    expect(await rig.secrecyViolations()).toEqual([]);
  });
});
