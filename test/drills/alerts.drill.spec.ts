import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { streamName } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';

import { Viewer } from '../../lab/observed/viewer.ts';
import { basic, exchange, pause, type Phone, RelyingParty, SigningClient, Staff } from '../support/index.js';
import { ABOUT_TIME, AlertWatch } from './support/alert-watch.js';
import { ConsumerGroups } from './support/consumer-groups.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { poison } from './support/poison.js';
import { StoreTap } from './support/store-tap.js';
import { SIGNING, stepsOf, WAY_OF_A_SIGNATURE } from './support/way-of-a-signature.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookQueue } from './support/webhook-queue.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/** Seconds. Longer than a login on a busy machine takes, and shorter than the outages. */
const SHORT = 15;
/** Wrong secrets that an address may send. */
const GUESSES = 20;
/** Enough that more than ten messages wait in the partition that a consumer is at. */
const SESSIONS = 120;
/** Webhooks that fail are added by so many until enough are to be repeated within the outage. */
const RETRIES = 60;
/** Many more than the ten whose wait is an alert here, since some of them may be another queue's. */
const DUE_AT_ONCE = 100;
/** Milliseconds until the retries are due: within them so many webhooks can fail on a slow machine as well. */
const TIME_TO_FAIL = 45_000;
/** Milliseconds. A webhook has to begin within five seconds, and a queue is counted every five; Kafka's session timeout is longer. */
const FROZEN = 6_500;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
/** Milliseconds: no promise, only a limit for a drill that hangs. */
const WITHIN = 120_000;

let distributed: Distributed;
let viewer: Viewer;
let alerts: AlertWatch;
let store: StoreTap;
let queue: WebhookQueue;
let staff: Staff;
let client: RelyingParty;
let phone: Phone;
const receivers: WebhookReceiver[] = [];

const one = (name: string) => distributed.topology.of(name)[0]!;
const receiverOf = async (status: number, headers: () => Record<string, string> = () => ({})): Promise<WebhookReceiver> => {
  const behave = ({ response }: { response: { writeHead(status: number, headers: Record<string, string>): { end(): void } } }): boolean => {
    response.writeHead(status, headers()).end();
    return status < 300;
  };
  const receiver = await WebhookReceiver.open({ behave });
  receivers.push(receiver);
  return receiver;
};
/** Tries so many sessions; a busy machine may answer 503. */
const cancelled = (of: RelyingParty, sessions: number): Promise<unknown> =>
  Promise.allSettled(Array.from({ length: sessions }, async () => of.cancel(await of.login())));

beforeAll(async () => {
  // The viewer is here only the receiver of traces: it asks no Prometheus.
  viewer = new Viewer('http://127.0.0.1:9');
  await viewer.start(0);
  distributed = await startDistributed(
    'alerts',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: viewer.url,
      SESSION_TTL: String(SHORT),
      RESULT_RETENTION: String(SHORT),
      AUTHENTICATION_FAILURE_LIMIT: String(GUESSES),
      NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/drills/support/leaping-clock.mjs')).href}`,
    },
    { kills: ['ESDB_URL', 'POSTGRES_URL'], replicated: [] },
  );
  const { topology, service } = distributed;
  alerts = await AlertWatch.start(join(topology.directory, 'prometheus'), topology.replicas);
  store = await StoreTap.open(topology.settings['ESDB_URL']!);
  queue = new WebhookQueue(topology.settings['REDIS_URL']!);
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  phone = await staff.newPhone();
  await Endpoint.add(staff, client, { name: 'takes everything', receiver: await receiverOf(204) });
});

afterAll(async () => {
  for (const receiver of receivers) receiver.close();
  await store?.close();
  await queue?.close();
  await alerts?.stop();
  await distributed?.topology.kill();
  await viewer?.stop().catch(() => undefined);
});

describe('services without a fault', () => {
  it('fire no alert while people log in and sign', async () => {
    await client.completed(phone);
    await SigningClient.of(client).completed(phone);
    await eventually(async () => ((await alerts.value('sum(webhook_attempts_total{outcome="2xx"})')) ?? 0) > 0, {
      what: 'a webhook',
      within: WITHIN,
    });
    expect((await alerts.fired()).filter((alert) => !ABOUT_TIME.includes(alert))).toEqual([]);
  });

  it("show one signature as one trace, from the relying party's request over the store, the relay and Kafka to the container and the webhook", async () => {
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    const answer = await client.call('POST', '/relying-party/v1/session', SIGNING, { traceparent });
    const sessionId = answer.json!['sessionId'] as string;
    expect([(await phone.scan(sessionId)).status, (await phone.confirm(sessionId)).status]).toEqual([200, 200]);
    expect(await SigningClient.of(client).settled({ sessionId })).toBe('COMPLETED');
    const isWhole = (): boolean => WAY_OF_A_SIGNATURE.every((step) => stepsOf(viewer, TRACE).has(step));
    await eventually(isWhole, { what: 'all spans', within: WITHIN }).catch(() => undefined);
    expect([...stepsOf(viewer, TRACE)].sort()).toEqual(expect.arrayContaining([...WAY_OF_A_SIGNATURE]));
  });
});

describe('a fault of the running system fires its alerts', () => {
  it('a dispatcher that stands still: webhooks begin too late, and those that have become due again wait', async () => {
    const away = await RelyingParty.register(distributed.service);
    let again = 0;
    const busy = await receiverOf(429, () => ({ 'retry-after': new Date(again).toUTCString() }));
    await Endpoint.add(staff, away, { name: 'away', receiver: busy });
    const dueTogether = async (): Promise<number> => {
      const attempts = [...(await queue.attempts()).values()];
      return attempts.filter(({ due }) => due > Date.now() && due < again + FROZEN / 2).length;
    };
    const standStill = async (): Promise<void> => {
      again = Date.now() + TIME_TO_FAIL;
      const enoughWait = async (): Promise<boolean> => {
        await cancelled(away, RETRIES);
        return (await dueTogether()) > DUE_AT_ONCE;
      };
      await eventually(enoughWait, { what: 'retries that are due together', within: TIME_TO_FAIL });
      await pause(Math.max(0, again - Date.now() - FROZEN / 4));
      one('webhook-dispatcher').freeze();
      await cancelled(client, 10);
      await pause(FROZEN);
      one('webhook-dispatcher').resume();
    };
    await alerts.askUntilFired(standStill, 'WebhooksWait', 'LatencyBudgetBurnsFast', 'LatencyBudgetBurnsSlowly');
  });

  it('a job that no dispatcher can read, at its last run', async () => {
    await alerts.assertSilent('JobsFail');
    await queue.addUnreadable();
    await alerts.untilFired('JobsFail');
  });

  it('an approval in the store that no phone has signed, by a writer with the key of events', async () => {
    await alerts.assertSilent('ContainersRefused');
    const { sessionId } = await SigningClient.of(client).scanned(phone);
    const stream = streamName('session', sessionId);
    const [scan] = await store.store.read(stream, { direction: 'backwards', limit: 1 });
    const at = Date.now();
    const data = { at, buildExpiresAt: at + WITHIN };
    const { mac: _, ...metadata } = scan!.metadata!;
    await store.asService(distributed.topology.settings).append(stream, scan!.revision, [{ type: 'SessionConfirmed', data, metadata }]);
    expect(await SigningClient.of(client).settled({ sessionId })).toBe('CANCELLED');
    await alerts.untilFired('ContainersRefused');
  });

  it('a store that is down: requests are answered 503, sessions end late, results are kept too long, and consumers wait', async () => {
    const { topology } = distributed;
    const abandoned = await client.login();
    await SigningClient.of(client).completed(phone);
    await SigningClient.of(client).confirmed(phone);
    await topology.store.kill();
    const answers = new Set<number>();
    const ask = (): Promise<unknown> => Promise.all(Array.from({ length: 10 }, async () => answers.add((await client.post()).status)));
    try {
      await alerts.askUntilFired(
        ask,
        ...['StoreUnavailable', 'ErrorBudgetBurnsFast', 'ErrorBudgetBurnsSlowly', 'SessionTimersLate', 'DeletionsLate'],
      );
    } finally {
      await topology.store.start();
    }
    expect(answers).toEqual(new Set([503]));
    await eventually(() => store.open([{ client, ...abandoned }]).length === 0, { what: 'the session ends', within: WITHIN });
  });

  it('a PostgreSQL that is down: read models fall behind, and messages wait for their consumers', async () => {
    const postgresql = distributed.topology.postgresql!;
    await postgresql.kill();
    try {
      await RelyingParty.register(distributed.service);
      await Promise.all(Array.from({ length: SESSIONS }, () => client.login()));
      await alerts.untilFired('ReadModelBehind', 'ConsumersWait', 'ConsumersBehind');
    } finally {
      await postgresql.start();
    }
  });

  it('an event without a valid MAC in the store, and a forged record on the topic', async () => {
    const { sessionId } = await client.login();
    const event = { type: 'SessionScanned', data: { at: Date.now() }, metadata: { v: 2 } };
    await store.store.append(streamName('session', sessionId), 0, [event]);
    expect((await phone.scan(sessionId)).status).toBe(503);
    const groups = new ConsumerGroups(distributed.topology.settings['KAFKA_BROKERS']!.split(','));
    const { value, headers } = poison(sessionId)['a forged record']!;
    await groups.write([{ partition: 0, key: sessionId, value, headers }]);
    await alerts.untilFired('EventsRefused', 'DeadLetters');
  });

  it('a webhook endpoint that is gone', async () => {
    const gone = await RelyingParty.register(distributed.service);
    const receiver = await receiverOf(410);
    await Endpoint.add(staff, gone, { name: 'gone', receiver });
    await gone.completed(phone);
    await alerts.untilFired('WebhookEndpointDisabled');
  });

  it('wrong secrets, far more than people mistype', async () => {
    const [url] = distributed.service.baseUrls;
    const request = { method: 'POST', path: '/relying-party/v1/session', headers: { authorization: basic(client.clientId, 'wrong') }, json: {} };
    const answers = new Set<number>();
    const guess = async (): Promise<unknown> => answers.add((await exchange(url!, { ...request, from: '127.0.0.9' })).status);
    await alerts.askUntilFired(() => Promise.all(Array.from({ length: 50 }, guess)), 'AuthenticationFailures');
    expect(answers).toEqual(new Set([401]));
  });

  it('a client that a person has reported', async () => {
    await alerts.assertSilent('ClientReported');
    const report = async (): Promise<unknown> => {
      const other = await RelyingParty.register(distributed.service);
      return phone.call('PUT', `/app/v1/blocked-clients/${other.clientId}/report`);
    };
    await alerts.askUntilFired(report, 'ClientReported');
  });

  it('a list of persons that was read', async () => {
    await alerts.assertSilent('PersonsListed');
    await alerts.askUntilFired(() => staff.ask('GET', '/identities?limit=1'), 'PersonsListed');
  });

  it('a caller who opens many persons one by one', async () => {
    await alerts.assertSilent('PersonsOpened');
    const search = () => staff.call('POST', '/identities/search', { country: 'EE', personal_code: '47101010033' });
    const seen = new Set<number>();
    await alerts.askUntilFired(async () => seen.add((await search()).status), 'PersonsOpened');
    expect([...seen].filter((status) => status !== 200 && status !== 404)).toEqual([]);
  });

  it('a key in use for two years', async () => {
    const file = join(distributed.topology.settings['KEY_DIR']!, 'pin.json');
    const keys = JSON.parse(await readFile(file, 'utf8')) as { notBefore: string }[];
    const before = new Date(Date.now() - 2 * 365 * 86_400_000).toISOString();
    await writeFile(file, JSON.stringify(keys.map((key) => ({ ...key, notBefore: before }))));
    await alerts.untilFired('KeyOld');
  });

  it('a service that stands still, and one that ends again and again', async () => {
    const standStill = async (): Promise<void> => {
      one('device-api').freeze();
      await pause(400);
      one('device-api').resume();
    };
    // The metric is a 99th percentile between two readings, so one pause among a hundred measurements does not show.
    await alerts.askUntilFired(standStill, 'EventLoopBlocked');
    const changes = 'changes(process_start_time_seconds{job="login-bff"}[15m])';
    for (const end of [1, 2, 3]) {
      await one('login-bff').kill();
      await one('login-bff').start();
      await eventually(async () => (await alerts.value(changes)) === end, { what: `start ${end} is seen`, within: WITHIN });
    }
    await alerts.untilFired('ServiceGone', 'RestartsRepeatedly');
  });

  it('far more scans of one client than usual, also refused ones, after the quarter of an hour in which a service learns', async () => {
    await alerts.assertSilent('UnusualScans');
    process.kill(one('device-api').pid!, 'SIGUSR2');
    const other = await staff.newPhone();
    const scans = async (): Promise<unknown> => {
      const { sessionId } = await client.scanned(phone);
      return Promise.all(Array.from({ length: 20 }, () => other.scan(sessionId)));
    };
    await alerts.askUntilFired(scans, 'UnusualScans');
  });

  it('no relay, and no collector of traces', async () => {
    await viewer.stop();
    await one('event-relay').kill();
    await alerts.askUntilFired(() => client.login(), 'NoActiveEventRelay', 'TraceSpansLost');
  });
});
