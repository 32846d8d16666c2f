import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { verifyContainer } from '#asic';
import { qrPayload } from '#relying-party-client';

import { type DemoFixture, demoFixture, ORIGIN, PIN } from './demo.fixture.js';
import { type Surroundings, withPlainHttp, withSignatures, withTheSdk } from './guide-samples.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ROOT = join(import.meta.dirname, '../../..');

let demo: DemoFixture;
let surroundings: Surroundings;
let redirected: string;
let told: string;
let regenerated: number;

beforeAll(async () => {
  demo = await demoFixture();
});

afterAll(() => demo.close());

beforeEach(() => {
  const { clientId, clientSecret, service } = demo.options;
  [redirected, told, regenerated] = ['', '', 0];
  surroundings = {
    settings: { origin: ORIGIN, clientId, clientSecret, ...service },
    session: { regenerate: () => void (regenerated += 1) },
    redirect: (url) => void (redirected = url),
    fail: (message) => void (told = message),
  };
});

const approve = async (code: string): Promise<void> => {
  await demo.mari.scan(code);
  await demo.mari.confirm(PIN);
};

const query = (): URLSearchParams => new URL(redirected).searchParams;

const expectLoggedIn = (): void => {
  expect(redirected).toBe('/account');
  expect(surroundings.session.subjectId).toMatch(UUID);
  expect(regenerated).toBe(1);
};

describe('the code of the guide, with the SDK', () => {
  it('logs in on the hosted page', async () => {
    const guide = withTheSdk(surroundings);
    await guide.startOnHostedPage();
    const page = await demo.hostedPage(redirected);
    await approve(page.qr);
    redirected = await page.complete();
    await guide.callback(query());
    expectLoggedIn();
  });

  it('logs in on a page of its own', async () => {
    const guide = withTheSdk(surroundings);
    const code = await guide.startOnOwnPage();
    const { login } = surroundings.session;
    if (!login) throw new Error('no login was kept');
    const waiting = guide.wait(login, new AbortController().signal);
    await approve(code);
    await waiting;
    await guide.callback(query());
    expectLoggedIn();
  });

  it('tells the user when the phone said no', async () => {
    const guide = withTheSdk(surroundings);
    const code = await guide.startOnOwnPage();
    await demo.mari.scan(code);
    await demo.mari.decline('DECLINED');
    const { login } = surroundings.session;
    if (!login) throw new Error('no login was kept');
    await guide.wait(login, new AbortController().signal);
    expect(told).toBe('You declined on your phone.');
  });

  it('refuses a callback that belongs to no login or to another one', async () => {
    const guide = withTheSdk(surroundings);
    await guide.callback(new URLSearchParams('code=c&state=s'));
    expect(told).toBe('No login was begun in this browser.');
    await guide.startOnOwnPage();
    await guide.callback(new URLSearchParams('code=c&state=s'));
    expect(told).toBe('This does not belong to your login.');
    expect(surroundings.session.subjectId).toBeUndefined();
  });

  it('asks a known subject for more, by push', async () => {
    const guide = withTheSdk(surroundings);
    const code = await guide.startOnOwnPage();
    await approve(code);
    const { login } = surroundings.session;
    if (login) await guide.wait(login, new AbortController().signal);
    await guide.callback(query());
    await guide.askForMore(surroundings.session.subjectId ?? '');
    expect(surroundings.session.login?.pushStatus).toBe('DISPATCHED');
  });
});

describe('the code of the guide, for signatures', () => {
  let folder: string;
  let path: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'guide-'));
    path = join(folder, 'agreement.txt');
    writeFileSync(path, 'Reading room agreement\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const signing = () => {
    const { signing } = surroundings.session;
    if (!signing) throw new Error('no signing was kept');
    return signing;
  };
  const expectSigned = async (): Promise<void> => {
    const { trustServices, clock } = demo.platform;
    expect(await verifyContainer(`${path}.asice`, { trust: trustServices.trustStore, now: clock.now() })).toMatchObject({ verdict: 'VALID', findings: [] });
  };

  it('signs on a page of its own', async () => {
    const guide = withSignatures(surroundings);
    await approve(await guide.startSigning(path));
    expect(await guide.finishSigning(signing(), path)).toBe('Mari Maasikas');
    await expectSigned();
  });

  it('signs on the hosted page', async () => {
    const guide = withSignatures(surroundings);
    await guide.startSigningOnHostedPage(path);
    const page = await demo.hostedPage(redirected);
    await approve(page.qr);
    await demo.untilCompleted(signing().sessionId);
    redirected = await page.complete();
    await guide.signingCallback(new URLSearchParams('state=another'), path);
    expect(told).toBe('This does not belong to your signature.');
    expect(await guide.signingCallback(query(), path)).toBe('Mari Maasikas');
    await expectSigned();
  });

  it('tells the user when the phone said no', async () => {
    const guide = withSignatures(surroundings);
    await demo.mari.scan(await guide.startSigning(path));
    await demo.mari.decline('DECLINED');
    await guide.finishSigning(signing(), path);
    expect(told).toBe('It was not signed.');
  });
});

describe('the code of the guide, with plain HTTP', () => {
  it('logs in on a page of its own', async () => {
    const guide = withPlainHttp(surroundings);
    await guide.start(false);
    const sessionId = surroundings.session.login?.sessionId ?? '';
    const settled = guide.wait(sessionId);
    await approve(qrPayload({ appScheme: 'countersign', sessionId, returnUrl: `${ORIGIN}/waiting` }));
    expect(await settled).toBe('CONFIRMED');
    await guide.complete(sessionId);
    await guide.callback(query());
    expectLoggedIn();
  });

  it('gets a handoff token for the hosted page', async () => {
    const guide = withPlainHttp(surroundings);
    await guide.start(true);
    expect(surroundings.session.login?.handoffToken).toMatch(/./);
  });

  it('refuses a callback with another state', async () => {
    const guide = withPlainHttp(surroundings);
    await guide.start(false);
    await guide.callback(new URLSearchParams({ code: 'c', state: 's' }));
    expect(told).toBe('This does not belong to your login.');
  });
});

describe('docs/relying-party.md', () => {
  const guide = readFileSync(join(ROOT, 'docs/relying-party.md'), 'utf8');
  const samples = [...guide.matchAll(/<!-- slice of (\S+) -->\n```\w+\n(.*?)```/gs)].map(([, file = '', code = '']) => ({ file, code }));

  it('shows no code that is not a slice of a file that a test runs', () => {
    const blocks = [...guide.matchAll(/^```(?:ts|js|sh|html)$/gm)].length;
    expect(samples.length).toBe(blocks);
    expect(blocks).toBeGreaterThan(5);
  });

  it.each(samples)('shows a slice of $file', ({ file, code }) => {
    expect(unindented(readFileSync(join(ROOT, file), 'utf8'))).toContain(unindented(code));
  });

  it('links to files that exist', () => {
    for (const [, path = ''] of guide.matchAll(/\]\(((?!https?:)[^)#]+)/g)) expect(() => readFileSync(join(ROOT, 'docs', path))).not.toThrow();
  });
});

/** A slice may stand further to the left than it does in its file. */
const unindented = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
