import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { newNodeProject, succeed } from './support/index.js';

/** What a script of a relying party does with the package, without a test runner. It prints what it saw. */
const SCRIPT = `
import { loginPageUrl, RelyingPartyClient } from '@countersign/relying-party';
import { runningSandbox, SEEDED_CLIENT, startSandbox } from '@countersign/sandbox';

const redirectUri = 'http://localhost:5173/callback';
const sandbox = await startSandbox({ redirectUris: [redirectUri] });
const logIn = async (client, phoneId) => {
  const relyingParty = new RelyingPartyClient({ baseUrl: sandbox.url, ...client });
  const login = await relyingParty.beginLogin({ redirectUri, hostedPage: true });
  const { status, redirect } = await sandbox.logIn(loginPageUrl(sandbox.loginUrl, login.handoffToken), phoneId);
  return redirect === undefined ? status : (await relyingParty.finishLogin(login, new URL(redirect).searchParams)).subjectId;
};
const kindsOf = async (client) => (await sandbox.webhooks(client)).map(({ event }) => event.type).toSorted();
const refused = (call) => call.then(() => 'no', ({ errorCode, message }) => errorCode ?? message);
const saw = {};

saw.seeded = await logIn(sandbox.client, 'ok');
const [one, two] = [await sandbox.createClient([redirectUri]), await sandbox.createClient([redirectUri])];
saw.apart = (await logIn(one)) !== (await logIn(two));
await sandbox.waitForWebhook({ client: one, type: 'session.completed' });
await sandbox.waitForWebhook({ client: two, type: 'session.completed' });
saw.kinds = [await kindsOf(one), await kindsOf(two)];

const locked = await sandbox.createPhone({ persona: 'wrong-pin' });
saw.locked = [await logIn(one, locked.phoneId), await refused(logIn(one, locked.phoneId))];
saw.others = (await logIn(one)).length;
const before = Math.floor(Date.now() / 1000);
saw.moved = (await sandbox.moveClock(86_400)) - before >= 86_400;
saw.nextDay = (await logIn(two)).length;
await sandbox.waitForWebhook({ client: two, type: 'session.completed' });

await sandbox.reset();
saw.forgotten = await refused(sandbox.webhooks(one));
saw.again = await logIn({ ...SEEDED_CLIENT }, 'ok');
process.env.COUNTERSIGN_SANDBOX_URL = sandbox.url;
saw.same = [(await startSandbox()).url, runningSandbox().url].every((url) => url === sandbox.url);
await (await startSandbox()).stop();
saw.stillRuns = (await fetch(sandbox.url + '/readyz')).ok;
await sandbox.stop();
saw.ended = (await refused(sandbox.reset())).replace(sandbox.url, 'URL');
process.stdout.write(JSON.stringify(saw) + '\\n');
`;

describe('a sandbox without a test runner', () => {
  let saw: Record<string, unknown>;
  beforeAll(async () => {
    const folder = await newNodeProject('vitest');
    writeFileSync(join(folder, 'script.mjs'), SCRIPT);
    saw = JSON.parse(await succeed({ words: [process.execPath, 'script.mjs'], cwd: folder })) as Record<string, unknown>;
  });

  it('has the same person at the client of every sandbox, also after a reset', () => {
    expect([saw['seeded'], saw['again']]).toEqual(['a87ba057-bf4e-8ef6-ad55-49e83b46b0c9', 'a87ba057-bf4e-8ef6-ad55-49e83b46b0c9']);
  });

  it('keeps two clients apart: their persons and their webhooks', () => {
    const kinds = ['session.completed', 'session.confirmed', 'session.scanned'];
    expect([saw['apart'], saw['kinds']]).toEqual([true, [kinds, kinds]]);
  });

  it('locks no phone but that of the person who guesses', () => {
    expect([saw['locked'], saw['others']]).toEqual([['CANCELLED', 'device_locked'], 36]);
  });

  it('logs in and verifies webhooks after its clock has moved', () => {
    expect([saw['moved'], saw['nextDay']]).toEqual([true, 36]);
  });

  it('forgets at a reset the client of a test', () => {
    expect(saw['forgotten']).toBe('client_not_found');
  });

  it('is left running by a process that did not start it, and ended by the one that did', () => {
    expect([saw['same'], saw['stillRuns'], saw['ended']]).toEqual([true, true, 'the sandbox at URL cannot be reached']);
  });
});
