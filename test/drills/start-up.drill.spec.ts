import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { type ClientId, type IdentityId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { openDataDirectory } from '#testkit/platform/open-data-directory';
import { storeFinishedSessions } from '#testkit/session/finished-sessions';

import { exchange, runDirectory } from '../support/index.js';
import { reservePort } from '../../testkit/processes/reserve-port.ts';

/*
 * Each service by itself, `node dist/services/<service>.js`, with nothing but its environment: it starts without the engines that
 * it can do without, reports its state, and ends on SIGTERM. When a setting prevents the start it names the setting, and never shows its value.
 */
const SERVICES = [
  ...['session-api', 'login-bff', 'openid', 'device-api', 'registry', 'console', 'signing', 'webhook-dispatcher', 'timers', 'event-relay'],
  'standalone',
];

/** Milliseconds: no promise, only a limit for a start that hangs. */
const STARTED_WITHIN = 180_000;

const SECRET = 'hunter2-in-a-setting';
const directory = join(runDirectory(), 'start-up.data');
const noCertificate = join(directory, 'no-certificate.pem');

/** Wrong settings, as many at once as one message may name. */
const WRONG: readonly Readonly<Record<string, string>>[] = [
  { PORT: SECRET, SANDBOX: SECRET, BASE_URL: `http://user:${SECRET}@localhost` },
  {
    SESSION_TTL: '0',
    ESDB_URL: `http://admin:${SECRET}@localhost:2113`,
    KAFKA_BROKERS: SECRET,
    REDIS_URL: `http://:${SECRET}@localhost`,
    ADMIN_TOKEN: 'hunter2',
    TRUSTED_PROXIES: SECRET,
  },
  { ESDB_URL: `esdb://admin:${SECRET}@localhost:2113?tls=perhaps` },
];

/** Settings that all services read by the same code, so that one service is tested. */
const WRONG_TOO = [{ LOGIN_URL: `http://${SECRET}.example` }, { TRUST_ANCHORS: noCertificate }, { ENVIRONMENT: 'production' }];

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

const running: ChildProcess[] = [];
let starts = 0;

const start = (service: string, settings: Readonly<Record<string, string>>): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
  const main = resolve('dist/services', `${service}.js`);
  if (!existsSync(main)) throw new Error('nothing to test: run `npm run build` first');
  // Many processes load the same modules: compiled once.
  const environment = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: resolve('.cache/node'),
    DATA_DIR: join(directory, `${service}-${starts++}`),
    DEMO: 'false',
    KAFKA_BROKERS: '127.0.0.1:1',
    ...settings,
  };
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text: string) => (said += text));
  return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, said }))) };
};

/** Processor time that the process has used, in whole seconds. */
const processorSeconds = (pid: number): number => Number(execFileSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' }));

beforeAll(() => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(noCertificate, `not a certificate, but ${SECRET}\n`);
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe.each(SERVICES)('%s', (service) => {
  it('does not start with wrong settings: names each of them, and never its value', async () => {
    const wrong = service === 'standalone' ? [...WRONG, ...WRONG_TOO] : WRONG;
    const ends = await Promise.all(wrong.map((settings) => start(service, settings).ended));
    ends.forEach(({ code, said }, i) => {
      expect([wrong[i], code]).toEqual([wrong[i], 1]);
      for (const name of Object.keys(wrong[i]!))
        expect(said).toContain(
          name === 'ENVIRONMENT' ? 'BASE_URL must be an https address, since ENVIRONMENT is neither development nor test' : name,
        );
      expect(said).not.toContain('hunter2');
      // A sentence for people, without a stack trace.
      expect(said).not.toMatch(/^\s+at /m);
    });
  });

  it('starts without the other services, is alive and ready, and ends on SIGTERM', async () => {
    const port = await reservePort();
    const alone: Record<string, string> = service === 'event-relay' ? {} : { KAFKA_BROKERS: '' };
    const { child, ended } = start(service, { PORT: String(port), ...alone });
    const asked = (path: string) => exchange(`http://127.0.0.1:${port}`, { method: 'GET', path }).catch(() => undefined);
    await eventually(async () => (await asked('/livez')) !== undefined, { what: 'an answer', within: STARTED_WITHIN });
    expect(await asked('/livez')).toMatchObject({ status: 200, json: { status: 'alive' } });
    // A relay without brokers notices that soon.
    const ready = service === 'event-relay' ? 503 : 200;
    await eventually(async () => (await asked('/readyz'))?.status === ready, { what: `/readyz says ${ready}`, within: STARTED_WITHIN });
    expect(await asked('/readyz')).toMatchObject({ status: ready, json: { checks: { 'event-store': 'ok' } } });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });
});

describe('event-relay', () => {
  it('does not start without Kafka, and says so', async () => {
    expect(await start('event-relay', { KAFKA_BROKERS: '' }).ended).toEqual({ code: 1, said: expect.stringContaining('KAFKA_BROKERS') });
  });
});

describe('timers', () => {
  it('do not start with Kafka and without PostgreSQL, and say so', async () => {
    expect(await start('timers', {}).ended).toEqual({ code: 1, said: expect.stringContaining('POSTGRES_URL') });
  });
});

describe('the standalone service over a backlog that no consumer has read', () => {
  const SESSIONS = 10_000;
  const EVENTS = 5 * SESSIONS;

  it('is ready within five seconds of processor time, before the backlog is read', async () => {
    const data = join(directory, 'backlog');
    const [clock, randomness] = [new FixedClock(Date.now() - 3_600_000), new SystemRandomness()];
    const store = await openDataDirectory(data, clock);
    const [clients, persons] = [[randomness.uuid<ClientId>()], [randomness.uuid<IdentityId>()]];
    await storeFinishedSessions(store, { count: SESSIONS, clients, persons, from: clock.now(), every: 10, randomness });
    await store.close();

    const port = await reservePort();
    const { child } = start('standalone', { PORT: String(port), KAFKA_BROKERS: '', DATA_DIR: data });
    const asked = (path: string) => exchange(`http://127.0.0.1:${port}`, { method: 'GET', path }).catch(() => undefined);
    await eventually(async () => (await asked('/readyz'))?.status === 200, { what: '/readyz says 200', within: STARTED_WITHIN });
    expect(processorSeconds(child.pid!)).toBeLessThan(5);
    const metrics = (await asked('/metrics'))?.text ?? '';
    const read = [...metrics.matchAll(/^message_bus_messages_total\{.*group="webhooks".*\} (\d+)$/gmu)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    expect(read).toBeLessThan(EVENTS);
  });
});

describe('the command line', () => {
  it('names a wrong setting too', async () => {
    const child = spawn(process.execPath, [resolve('dist/apps/cli/src/main.js'), 'clients', 'list'], {
      env: { PATH: process.env['PATH'], BASE_URL: `http://user:${SECRET}@localhost` },
    });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text: string) => (said += text));
    const code = await new Promise((done) => child.once('close', done));
    expect([code === 0, said]).toEqual([false, expect.stringContaining('BASE_URL')]);
    expect(said).not.toContain('hunter2');
  });
});
