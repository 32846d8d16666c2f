import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { chromium } from 'playwright-core';

import { CHROMIUM, FLAGS, SAME_LETTERS } from '../../test/browser/support/chromium.ts';
import { reservePorts } from '../processes/reserve-port.ts';
import { ObservedService } from './observed-service.ts';
import { SampleTraffic } from './sample-traffic.ts';

// `npm run observed:pictures`: an observed service of its own, logins and signatures for twenty seconds, and pictures of a trace and of the dashboard.
const IMAGES = resolve('docs/images');
const ROUNDS = 12;
/** Milliseconds. */
const PAUSE = 1_500;
const LONGEST_WAIT = 60_000;
/** The last span of a signature. */
const LAST_SPAN = 'webhook session.completed';

const directory = await mkdtemp(join(tmpdir(), 'observed-'));
const [service = 0, prometheus = 0] = await reservePorts(2);
const adminToken = randomBytes(24).toString('base64url');
const settings = { ADMIN_TOKEN: adminToken, DEMO: 'false', LOG_LEVEL: 'warn' };
const observed = new ObservedService({ directory, ports: { service, prometheus, viewer: 0 }, settings });
try {
  await observed.start();
  const traffic = await SampleTraffic.begin(`http://localhost:${service}`, adminToken);
  let traceId = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    await traffic.login();
    traceId = await traffic.sign();
    await sleep(PAUSE);
  }
  const isWhole = (): boolean =>
    observed.viewer.traces().some((spans) => spans[0]?.traceId === traceId && spans.some(({ name }) => name === LAST_SPAN));
  for (const giveUpAt = performance.now() + LONGEST_WAIT; !isWhole(); await sleep(200))
    if (performance.now() > giveUpAt) throw new Error('the trace of the last signature did not arrive');
  traffic.end();

  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...SAME_LETTERS] });
  const page = await browser.newPage({ viewport: { width: 1_400, height: 300 } });
  for (const [name, path] of [
    ['trace', `/traces/${traceId}`],
    ['dashboard', '/dashboard?minutes=1'],
  ]) {
    await page.goto(`${observed.viewer.url}${path}`);
    await page.screenshot({ path: join(IMAGES, `${name}.png`), fullPage: true });
  }
  await browser.close();
} finally {
  await observed.stop();
  await rm(directory, { recursive: true, force: true });
}
