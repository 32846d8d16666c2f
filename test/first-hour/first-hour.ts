/**
 * Follows docs/first-login.md word by word, stopwatch in hand: packs the packages, starts the sandbox, and makes a server of one's own in an empty folder, with the SDK and with
 * openid-client; a person logs in by a real browser and out again. Nothing is judged by time. Ends with 1 when a step fails.
 */
import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { chromium, type Page } from 'playwright-core';

import { reservePorts } from '../../testkit/processes/reserve-port.ts';
import { CHROMIUM, FLAGS, SAME_FONTS } from '../../testkit/programs/browsers/chromium.ts';
import { blocksOf } from './page.ts';
import { Stopwatch } from './stopwatch.ts';
import { Terminal } from './terminal.ts';

const CLONE = resolve(import.meta.dirname, '../..');
const GREETING = /^Hello, (?<name>.+): you are (?<subject>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.$/;

const [service = 0, shop = 0] = await reservePorts(2);
const { devDependencies: versions } = JSON.parse(readFileSync(join(CLONE, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> };
const blocks = blocksOf(join(CLONE, 'docs/first-login.md'), { ports: { 3000: service, 3002: shop }, versions });

/** Not on the page: the last step of .github/workflows/publish.yml, which sends nothing here. */
const TRY_PUBLISHING = 'for package in "$PACKAGES"/*.tgz; do npm publish --dry-run --offline --ignore-scripts "$package"; done';

/** The one block of a section with that purpose. */
const block = (section: RegExp, purpose: string): string => {
  const found = blocks.filter((each) => section.test(each.section) && each.purpose === purpose);
  assert.equal(found.length, 1, `docs/first-login.md has ${found.length} blocks "${purpose}" under ${section}`);
  return found[0]!.code;
};

const folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
const terminal = new Terminal(folder);
const stopwatch = new Stopwatch();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, env: SAME_FONTS as Record<string, string> });

/** A value that a program has printed beside its name. */
const printed = (output: string, pattern: RegExp): string => {
  const [, value] = pattern.exec(output) ?? [];
  assert.ok(value, `the sandbox did not print ${pattern}:\n${output}`);
  return value;
};

/** Logs in as the page says, in a browser without cookies, and out. Answers who the server greeted. */
const logInAndOut = async (): Promise<{ readonly name: string; readonly subject: string }> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const greeted = await stopwatch.step('log in, in a browser', async () => {
    await page.goto(`http://localhost:${shop}/`);
    await page.getByRole('link', { name: 'Log in' }).click();
    terminal.set('QR', (await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')) ?? '');
    await terminal.run(block(/Log in$/, 'run'));
    await page.waitForURL(`http://localhost:${shop}/`);
    return greetingOn(page);
  });
  await stopwatch.step('log out', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
  });
  await stopwatch.step('bring a callback of another login', async () => {
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('link', { name: 'Open the app' }).waitFor();
    const refused = await page.goto(`http://localhost:${shop}/callback?code=planted&state=planted`);
    assert.equal(refused?.status(), 400, 'the server takes a callback of another login');
    await page.goto(`http://localhost:${shop}/`);
    assert.equal(await page.getByRole('link', { name: 'Log in' }).count(), 1, 'a callback of another login logged somebody in');
  });
  await context.close();
  return greeted;
};

const greetingOn = async (page: Page): Promise<{ readonly name: string; readonly subject: string }> => {
  const { name, subject } = GREETING.exec(await page.locator('p').innerText())?.groups ?? {};
  assert.ok(name !== undefined && name !== 'you' && subject !== undefined, 'the server greets nobody');
  return { name, subject };
};

/** The server of a section of the page, in its own empty folder. */
const serverOf = async (section: RegExp): Promise<{ readonly name: string; readonly subject: string }> => {
  terminal.goHome();
  await stopwatch.step('make a folder, install the packages', () => terminal.run(block(section, 'run')));
  await stopwatch.step('write the server and start it', () => {
    terminal.write('server.js', block(section, 'file server.js'));
    return terminal.serve(block(section, 'run until the end'), /^http:/m);
  });
  const greeted = await logInAndOut();
  await terminal.end();
  stopwatch.sum('from an empty folder to a login and out again');
  return greeted;
};

try {
  console.log('What both need\n');
  await stopwatch.step('pack the packages in a clone', () => terminal.run(block(/^$/, 'run in the clone'), CLONE));
  await stopwatch.step('try the publishing of each package, without a network', () => terminal.run(TRY_PUBLISHING, CLONE));
  const output = await stopwatch.step('start the sandbox', () => terminal.serve(block(/sandbox$/, 'run until the end'), /redirect_uri.+\n/));
  stopwatch.sum('in all');
  terminal.set('CLIENT_ID', printed(output, /client_id +(\S+)/));
  terminal.set('CLIENT_SECRET', printed(output, /client_secret +(\S+)/));
  console.log('With the SDK\n');
  const bySdk = await serverOf(/SDK$/);
  console.log('With openid-client\n');
  const byOpenId = await serverOf(/OpenID Connect$/);
  assert.deepEqual(byOpenId, bySdk, 'a person has one subjectId and one name at a client, by either way');
  console.log(`Both servers greeted ${bySdk.name} by the same subjectId.`);
} finally {
  await browser.close();
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
}
