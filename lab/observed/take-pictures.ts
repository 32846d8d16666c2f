import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { chromium } from 'playwright-core';

import { CHROMIUM, FLAGS, SAME_LETTERS } from '../../testkit/programs/browsers/chromium.ts';
import { Topology } from '../../testkit/topologies/topology.ts';
import { reservePorts } from '../../testkit/processes/reserve-port.ts';
import { Prometheus } from './prometheus.ts';
import { SampleTraffic } from './sample-traffic.ts';
import { targetsOf } from './targets.ts';
import { Viewer } from './viewer.ts';

// `npm run observed:pictures`: the services of the distributed profile, people who log in and sign at once for a minute and a half, and pictures of one
// signature's trace over the services and of the dashboard.
const IMAGES = resolve('docs/images');
const PEOPLE = 4;
/** Milliseconds. */
const LOAD = 90_000;
const PAUSE = 500;
const LONGEST_WAIT = 60_000;
/** The last span of a signature. */
const LAST_SPAN = 'webhook session.completed';

const directory = await mkdtemp(join(tmpdir(), 'observed-'));
const [port = 0] = await reservePorts(1);
const adminToken = randomBytes(24).toString('base64url');
const viewer = new Viewer(`http://127.0.0.1:${port}`);
await viewer.start(0);
const topology = new Topology({
  directory,
  settings: { ADMIN_TOKEN: adminToken, LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: viewer.url },
});
let prometheus: Prometheus | undefined;

/** Logs in and signs until the time is up. Answers the id of the last signature's trace. */
const useService = async (traffic: SampleTraffic): Promise<string> => {
  let traceId = '';
  for (const giveUpAt = performance.now() + LOAD; performance.now() < giveUpAt; await sleep(PAUSE)) {
    await traffic.login();
    traceId = await traffic.sign();
  }
  return traceId;
};

try {
  await topology.start();
  prometheus = new Prometheus({ directory: join(directory, 'prometheus'), port, targets: targetsOf(topology.replicas) });
  await prometheus.start();
  const { BASE_URL = '' } = topology.settings;
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => SampleTraffic.begin(BASE_URL, adminToken, index + 1)));
  const [traceId = ''] = await Promise.all(people.map(useService));
  const isWhole = (): boolean => viewer.traces().some((spans) => spans[0]?.traceId === traceId && spans.some(({ name }) => name === LAST_SPAN));
  for (const giveUpAt = performance.now() + LONGEST_WAIT; !isWhole(); await sleep(200))
    if (performance.now() > giveUpAt) throw new Error('the trace of the last signature did not arrive');
  for (const traffic of people) traffic.end();

  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...SAME_LETTERS] });
  const page = await browser.newPage({ viewport: { width: 1_400, height: 300 } });
  for (const [name, path] of [
    ['trace', `/traces/${traceId}`],
    ['dashboard', '/dashboard?minutes=2'],
  ]) {
    await page.goto(`${viewer.url}${path}`);
    await page.screenshot({ path: join(IMAGES, `${name}.png`), fullPage: true });
  }
  await browser.close();
} finally {
  await prometheus?.stop();
  await topology.stop();
  await viewer.stop();
  await rm(directory, { recursive: true, force: true });
}
