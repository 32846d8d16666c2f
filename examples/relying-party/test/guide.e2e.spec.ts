import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { verifyContainer } from '#signatures/asic';
import type { ClientId } from '#kernel';

import { type DemoFixture, demoFixture, ORIGIN, PIN } from './demo.fixture.js';
import { type Dependencies, withPlainHttp, withSignatures, withTheSdk } from './guide-samples.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ROOT = join(import.meta.dirname, '../../..');

let demo: DemoFixture;
let dependencies: Dependencies;
let redirected: string;
let failure: string;
let regenerated: number;

beforeAll(async () => {
  demo = await demoFixture();
});

afterAll(() => demo.close());

/** The client with codes of that kind from now on. */
const withCodes = async (codes: string): Promise<void> => {
  const { changeClient } = demo.platform.useCases.relyingParties();
  await changeClient.execute(demo.options.clientId as ClientId, { dynamicQr: codes === 'changing' });
};

beforeEach(async () => {
  await withCodes('static');
  const { clientId, clientSecret, service } = demo.options;
  [redirected, failure, regenerated] = ['', '', 0];
  dependencies = {
    settings: { origin: ORIGIN, clientId, clientSecret, ...service },
    session: { regenerate: () => void (regenerated += 1) },
    redirect: (url) => void (redirected = url),
    fail: (message) => void (failure = message),
  };
});

const approve = async (code: string): Promise<void> => {
  await demo.mari.scan(code);
  await demo.mari.confirm(PIN);
};

const query = (): URLSearchParams => new URL(redirected).searchParams;

const expectLoggedIn = (): void => {
  expect(redirected).toBe('/account');
  expect(dependencies.session.subjectId).toMatch(UUID);
  expect(regenerated).toBe(1);
};

describe('the code of the guide, with the SDK', () => {
  it('logs in on the hosted page', async () => {
    const guide = withTheSdk(dependencies);
    await guide.startOnHostedPage();
    const page = await demo.hostedPage(redirected);
    await approve(page.qr);
    redirected = await page.complete();
    await guide.callback(query());
    expectLoggedIn();
  });

  it.each(['static', 'changing'])('logs in on a page of its own, with %s codes', async (codes) => {
    await withCodes(codes);
    const guide = withTheSdk(dependencies);
    const code = await guide.startOnOwnPage();
    const { login } = dependencies.session;
    if (!login) throw new Error('no login was kept');
    const waiting = guide.wait(login, new AbortController().signal);
    await approve(code);
    await waiting;
    await guide.callback(query());
    expectLoggedIn();
  });

  it('tells the user when the phone declined', async () => {
    const guide = withTheSdk(dependencies);
    const code = await guide.startOnOwnPage();
    await demo.mari.scan(code);
    await demo.mari.decline('DECLINED');
    const { login } = dependencies.session;
    if (!login) throw new Error('no login was kept');
    await guide.wait(login, new AbortController().signal);
    expect(failure).toBe('You declined on your phone.');
  });

  it('refuses a callback without a login or of another one', async () => {
    const guide = withTheSdk(dependencies);
    await guide.callback(new URLSearchParams('code=c&state=s'));
    expect(failure).toBe('No login was begun in this browser.');
    await guide.startOnOwnPage();
    await guide.callback(new URLSearchParams('code=c&state=s'));
    expect(failure).toBe('This does not belong to your login.');
    expect(dependencies.session.subjectId).toBeUndefined();
  });

  it('requests properties of a known subject by push', async () => {
    const guide = withTheSdk(dependencies);
    const code = await guide.startOnOwnPage();
    await approve(code);
    const { login } = dependencies.session;
    if (login) await guide.wait(login, new AbortController().signal);
    await guide.callback(query());
    await guide.askForMore(dependencies.session.subjectId ?? '');
    expect(dependencies.session.login?.pushStatus).toBe('DISPATCHED');
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
    const { signing } = dependencies.session;
    if (!signing) throw new Error('no signing was kept');
    return signing;
  };
  const expectSigned = async (): Promise<void> => {
    const { trustServices, clock } = demo.platform;
    expect(await verifyContainer(`${path}.asice`, { trust: trustServices!.trustStore, now: clock.now() })).toMatchObject({
      verdict: 'TOTAL_PASSED',
      findings: [],
    });
  };

  it.each(['static', 'changing'])('signs on a page of its own, with %s codes', async (codes) => {
    await withCodes(codes);
    const guide = withSignatures(dependencies);
    await approve(await guide.startSigning(path));
    expect(await guide.finishSigning(signing(), path)).toBe('Mari Maasikas');
    await expectSigned();
  });

  it('signs on the hosted page', async () => {
    const guide = withSignatures(dependencies);
    await guide.startSigningOnHostedPage(path);
    const page = await demo.hostedPage(redirected);
    await approve(page.qr);
    await demo.untilCompleted(signing().sessionId);
    redirected = await page.complete();
    await guide.signingCallback(new URLSearchParams('state=another'), path);
    expect(failure).toBe('This does not belong to your signature.');
    expect(await guide.signingCallback(query(), path)).toBe('Mari Maasikas');
    await expectSigned();
  });

  it('tells the user when the phone declined', async () => {
    const guide = withSignatures(dependencies);
    await demo.mari.scan(await guide.startSigning(path));
    await demo.mari.decline('DECLINED');
    await guide.finishSigning(signing(), path);
    expect(failure).toBe('It was not signed.');
  });
});

describe('the code of the guide, with plain HTTP', () => {
  it.each(['static', 'changing'])('logs in on a page of its own, with %s codes', async (codes) => {
    await withCodes(codes);
    const guide = withPlainHttp(dependencies);
    const begun = await guide.start(false);
    const { sessionId } = begun;
    const settled = guide.wait(sessionId);
    await approve(guide.codeOf(begun));
    expect(await settled).toBe('CONFIRMED');
    await guide.complete(sessionId);
    await guide.callback(query());
    expectLoggedIn();
  });

  it('gets a handoff token for the hosted page', async () => {
    const guide = withPlainHttp(dependencies);
    await guide.start(true);
    expect(dependencies.session.login?.handoffToken).toMatch(/./);
  });

  it('refuses a callback with another state', async () => {
    const guide = withPlainHttp(dependencies);
    await guide.start(false);
    await guide.callback(new URLSearchParams({ code: 'c', state: 's' }));
    expect(failure).toBe('This does not belong to your login.');
  });
});

describe('a code that lacks its frame', () => {
  it('is refused, and the text leads to the heading that explains frames', async () => {
    await withCodes('changing');
    const { sessionId } = await withPlainHttp(dependencies).start(false);
    const reply = await demo.mari.scan(`countersign://app/scan?sessionId=${sessionId}&returnUrl=${encodeURIComponent(ORIGIN)}`);
    expect(reply).toMatchObject({ ok: false, status: 400, body: { errorCode: 'invalid_qr' } });
    const heading = /"(.+)"/.exec(reply.ok ? '' : (reply.body.defaultTranslation ?? ''))?.[1];
    expect(readFileSync(join(ROOT, 'docs/relying-party/frames.md'), 'utf8')).toContain(`## ${heading}\n`);
  });

  it('is explained to a new client in the same lines as in the guide', () => {
    const form = readFileSync(join(ROOT, 'apps/console/page/src/code-choice.ts'), 'utf8').replaceAll(/\\([`$])/g, '$1');
    const samples = readFileSync(join(import.meta.dirname, 'guide-samples.ts'), 'utf8');
    for (const line of ['const t = ', 'const key = ', 'const a = ']) {
      const taught = samples
        .split('\n')
        .find((each) => each.trim().startsWith(line))
        ?.trim();
      expect(form).toContain(taught ?? 'no such line');
    }
  });
});
