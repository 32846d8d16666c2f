import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { verifyContainer } from '#signatures/asic';
import { attach } from '#clients/relying-party';
import { readEvidence } from '#clients/relying-party/browser';

import type { Browser } from './browser.js';
import { type DemoFixture, demoFixture, ORIGIN, PIN, sceneOn } from './demo.fixture.js';
import { qrTextOn } from './read-qr.js';

const DATA = new TextEncoder().encode('Reading room agreement\n');
const sha512 = createHash('sha512').update(DATA).digest('hex');

let demo: DemoFixture;
let browser: Browser;

beforeAll(async () => {
  demo = await demoFixture();
});

afterAll(() => demo.close());

beforeEach(() => {
  browser = demo.browser();
});

const begin = (changes: Record<string, string> = {}) =>
  browser.post('/sign', { sha512, name: 'agreement.txt', size: String(DATA.length), title: 'Reading room', ...changes });
const signingIdOn = (text: string): string => /signing=([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
const status = async (since: string) => {
  const id = signingIdOn((await browser.get('/signing')).text);
  return JSON.parse((await browser.get(`/signing/status?signing=${id}&since=${since}`)).text) as Record<string, unknown>;
};
const sign = async (): Promise<void> => {
  expect(await begin()).toMatchObject({ status: 303, location: '/signing' });
  await demo.mari.scan(qrTextOn(await browser.get('/signing')));
  await demo.mari.confirm(PIN);
  for (let polls = 0; polls < 3 && (await status('SCANNED'))['scene'] !== 'SIGNED'; polls++);
};
const containerBytes = async () => {
  const answer = await demo.app.inject({ method: 'GET', url: '/signing/container', headers: { cookie: browser.cookie ?? '' } });
  return { status: answer.statusCode, type: answer.headers['content-type'], bytes: new Uint8Array(answer.rawPayload) };
};

describe('signing a document', () => {
  it('shows name, title and hash on the phone, and ends with a container that the file completes', async () => {
    await begin();
    const page = await browser.get('/signing');
    expect(sceneOn(page)).toBe('PENDING');
    const scanned = await demo.mari.scan(qrTextOn(page));
    expect(scanned.ok && scanned.body).toMatchObject({
      relyingPartyName: 'Harbour Library',
      title: 'Reading room',
      signedDataName: 'agreement.txt',
      signedDataSize: DATA.length,
      signedDataHash: sha512,
    });
    expect(await status('PENDING')).toMatchObject({ scene: 'SCANNED', expiresAt: expect.any(Number) });
    await demo.mari.confirm(PIN);
    expect(await status('SCANNED')).toMatchObject({ scene: 'SIGNED', status: 'COMPLETED' });

    const { status: code, type, bytes } = await containerBytes();
    expect([code, type]).toEqual([200, 'application/vnd.etsi.asic-e+zip']);
    const complete = await attach({ container: bytes, data: DATA });
    const report = await verifyContainer(complete, { trust: demo.platform.trustServices!.trustStore, now: demo.platform.clock.now() });
    expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', signedDataName: 'agreement.txt', signer: { name: 'Mari Maasikas' } });
  });

  it('ends with a container that names signer, issuer, time-stamp and OCSP answer, and a page that says how to verify it', async () => {
    await sign();
    expect(await readEvidence(new Blob([(await containerBytes()).bytes]))).toEqual({
      signer: 'Mari Maasikas',
      issuer: expect.stringMatching(/./),
      signingTime: expect.any(Number),
      timeStamp: { at: expect.any(Number), authority: expect.stringMatching(/./) },
      calledGoodAt: expect.any(Number),
    });
    expect((await browser.get('/signing')).text).toContain('npm run cli -- verify <bdi>&#39;agreement.txt.asice&#39;</bdi>');
  });

  it('brings the app back to the same page', async () => {
    await begin();
    expect(qrTextOn(await browser.get('/signing'))).toContain(`returnUrl=${encodeURIComponent(`${ORIGIN}/signing`)}`);
  });

  it('says that it was declined, or that the time is up', async () => {
    await begin();
    await demo.mari.scan(qrTextOn(await browser.get('/signing')));
    await demo.mari.decline('DECLINED');
    expect(sceneOn(await browser.get('/signing'))).toBe('CANCELLED');
    await begin();
    demo.platform.clock.advance(121_000);
    expect(sceneOn(await browser.get('/signing'))).toBe('EXPIRED');
  });

  it('can be cancelled, and the phone is told', async () => {
    await begin();
    await demo.mari.scan(qrTextOn(await browser.get('/signing')));
    expect(await browser.post('/signing/cancel')).toMatchObject({ status: 303, location: '/sign' });
    expect((await demo.mari.confirm(PIN)).status).toBe(410);
    expect(await browser.get('/signing')).toMatchObject({ status: 303, location: '/sign' });
  });

  it('has no container before the signature, and none for a browser without a signature', async () => {
    expect((await containerBytes()).status).toBe(404);
    await begin();
    expect((await containerBytes()).status).toBe(404);
    await sign();
    expect((await containerBytes()).status).toBe(200);
    expect((await demo.browser().get('/signing/container')).status).toBe(404);
  });

  it('is independent of a signing that another tab began later', async () => {
    await begin();
    const before = signingIdOn((await browser.get('/signing')).text);
    await begin();
    expect(JSON.parse((await browser.get(`/signing/status?signing=${before}`)).text)).toEqual({ scene: 'ELSEWHERE' });
  });

  it('shows a message when a name cannot be signed', async () => {
    const { status: code, text } = await begin({ name: 'META-INF' });
    expect(code).toBe(400);
    expect(text).toContain('Give it a plain name');
  });

  it.each([{ sha512: 'abc' }, { name: '' }, { name: 'x'.repeat(256) }, { size: '-1' }, { size: 'large' }])(
    'refuses a form like %p',
    async (changes) => {
      expect((await begin(changes)).status).toBe(400);
    },
  );

  it('does not send the file, and escapes its name', async () => {
    const form = (await browser.get('/sign')).text;
    expect(form).toMatch(/<input type="file"(?![^>]* name=)[^>]*>/);
    await begin({ name: '"><script>alert(1)<!--' });
    expect((await browser.get('/signing')).text).not.toContain('<script>alert');
  });
});
