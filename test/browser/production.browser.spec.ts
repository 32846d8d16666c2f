import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEY_FILES } from '#service/config';
import { eventually } from '#testkit/kernel/eventually';
import type { Page } from 'playwright-core';

import { buildCommands } from '../../testkit/processes/run-cli.ts';
import { type Login, RelyingParty, runDirectory, Staff, UUID } from '../support/index.js';
import { DATA, HASH, NAME, SigningClient } from '../support/signing-client.js';
import { accessibilityFaults, layoutFaults } from './support/index.js';
import { ProductionHost } from './support/production-host.js';
import { payloadOf } from './support/scan-uri.js';
import { SignedContainer } from './support/signed-container.js';
import { canStartTrustServices, type RegisteredTrustServices, startTrustServices } from './support/trust-services.js';
import { Visitor } from './support/visitor.js';
import { WebPhone } from './support/web-phone.js';

const REDIRECT_URI = 'https://shop.example/callback';
const ADDRESSES = ['https://id.example', 'https://phone.example', 'https://portal.example', 'https://shop.example'];

describe('a host in production, with TLS by a local CA (deploy/production)', () => {
  let host: ProductionHost;
  let staff: Staff;

  beforeAll(async () => {
    host = await ProductionHost.start();
    staff = new Staff(host);
  });
  afterAll(() => host[Symbol.asyncDispose]());

  const arrive = () => Visitor.arrive(host.browser, {}, ADDRESSES);

  /** A new person's phone, set up by the link of an activation code. */
  const setUpPhone = async () => {
    const person = await staff.registerPerson();
    const code = await staff.activationCode(person);
    const holder = await arrive();
    const phone = new WebPhone(await holder.open(`https://phone.example/phone/#activate=${encodeURIComponent(code)}`));
    await phone.setUp();
    return { holder, phone, person };
  };

  /** A new person who accepts an invitation to the portal by the web phone. */
  const enterPortal = async (link: unknown): Promise<{ page: Page; close: () => Promise<void> }> => {
    const { holder, phone } = await setUpPhone();
    const visitor = await arrive();
    const page = await visitor.open(String(link));
    expect(page.url()).toBe('https://portal.example/portal/');
    await page.getByTestId('log-in').click();
    await page.locator('html[data-state="WAITING"]').waitFor();
    await phone.paste((await page.getByTestId('open-app').getAttribute('href')) ?? '');
    await phone.confirm();
    await page.getByTestId('log-out').waitFor();
    const close = async (): Promise<void> => {
      expect([...holder.faults, ...visitor.faults]).toEqual([]);
      await Promise.all([holder.context.close(), visitor.context.close()]);
    };
    return { page, close };
  };

  it('has keys by the ceremony: a copy shows the fingerprints of the sheet, and neither shows a key', async () => {
    const sheet = await host.cli(['keys', 'list']);
    const copy = join(runDirectory(), 'copy-of-keys');
    await cp(host.keyDirectory, copy, { recursive: true });
    expect(await host.cli(['keys', 'list'], { KEY_DIR: copy })).toBe(sheet);
    const files = await readdir(copy);
    expect(files.toSorted()).toEqual(KEY_FILES.map((name) => `${name}.json`).toSorted());
    for (const file of files) {
      const keys = JSON.parse(await readFile(join(copy, file), 'utf8')) as readonly { id: string; key: string }[];
      for (const { id, key } of keys) expect([sheet.includes(id), sheet.includes(key)]).toEqual([true, false]);
    }
  });

  it('logs a person in, from the hosted page over the web phone to the subjectId', async () => {
    const shop = await RelyingParty.register(host, { redirect_uris: [REDIRECT_URI] });
    const { holder, phone } = await setUpPhone();

    const login: Login = await shop.login({ hosted_page: true });
    const visitor = await arrive();
    await visitor.context.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>The shop' }));
    const page = await visitor.open(`https://id.example/login/?t=${encodeURIComponent(login.handoffToken)}`);
    await page.locator('html[data-state="WAITING"]').waitFor();
    const cookies = await visitor.context.cookies();
    expect(cookies.length).toBeGreaterThan(0);
    for (const { domain, secure, httpOnly } of cookies)
      expect({ domain, secure, httpOnly }).toEqual({ domain: 'id.example', secure: true, httpOnly: true });
    await phone.paste(payloadOf(login.sessionId, ''));
    await phone.confirm();
    await page.waitForURL(`${REDIRECT_URI}?**`);

    const { code: answered, state } = Object.fromEntries(new URL(page.url()).searchParams) as { code: string; state: string };
    expect(state).toBe(login.state);
    const token = await shop.token(answered, login.verifier);
    expect(token.json).toMatchObject({ subjectId: expect.stringMatching(UUID) });
    expect([...holder.faults, ...visitor.faults]).toEqual([]);
    await Promise.all([holder.context.close(), visitor.context.close()]);
  });

  it('lets a person administrate at the portal, where an admin token is worth nothing', async () => {
    const { link } = await staff.ask('POST', '/invitations', { label: 'night-shift', roles: ['operator'] });
    const { page, close } = await enterPortal(link);
    await page.getByTestId('new-name').fill('Harbour Bank');
    await page.getByTestId('new-redirect-uri').fill(REDIRECT_URI);
    await page.getByTestId('new-redirect-uri').press('Enter');
    await page.getByTestId('client-id').waitFor();
    await close();

    const withToken = await host.browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${host.adminToken}` } });
    expect((await (await withToken.newPage()).goto('https://portal.example/admin/v1/clients'))?.status()).toBe(401);
    await withToken.close();
  });

  it('comes back from the backup of its timer, with all that was answered before and without the persons that were erased since', async () => {
    const shop = await RelyingParty.register(host, { redirect_uris: [REDIRECT_URI] });
    const [phone, leaving] = [await staff.newPhone(), await staff.registerPerson()];
    const open = await shop.login();
    const subjectId = await shop.subjectOf(phone);
    const devices = async (): Promise<number> => (await staff.call('GET', `/identities/${leaving.identityId}/devices`)).status;
    expect(await devices()).toBe(200);

    await host.addColleagues();
    const [key, folder] = [join(runDirectory(), 'backup.key'), join(runDirectory(), 'backups')];
    await buildCommands('back-up', 'backup-file', 'backup-key', 'backup-mac', 'event-keys', 'history', 'read-erasures-copy', 'restore');
    const recipient = (await host.cli(['backup-key', key])).trim();
    await host.runUnit('countersign-backup.service', { '${BACKUP_RECIPIENT}': recipient, '/var/lib/countersign-backups': folder });
    const [backup = ''] = await readdir(folder);
    const later = await RelyingParty.register(host, { redirect_uris: [REDIRECT_URI] });
    await host.published(async () => expect((await staff.call('DELETE', `/identities/${leaving.identityId}`)).status).toBe(204));
    await host.restore(join(folder, backup), key);

    const accepted = async (): Promise<boolean> => (await staff.call('GET', '/audit')).status === 200;
    await eventually(accepted, { what: 'the loss is accepted', within: 60_000, pause: 2_000 });

    expect(await shop.subjectOf(phone)).toBe(subjectId);
    expect(await shop.statusOf(open)).toBe('PENDING');
    expect((await later.post()).status).toBe(401);
    await eventually(async () => (await devices()) === 404, { what: 'the person is erased again', within: 60_000, pause: 2_000 });
    expect((await staff.call('POST', '/identities', { ...leaving, identityId: undefined })).status).toBe(201);
    // Seven processes begin one after the other.
  }, 300_000);

  it('shows the member of a relying party, once the subject key rotates, the pairs that the relying party gets', async () => {
    const shop = await RelyingParty.register(host, { redirect_uris: [REDIRECT_URI] });
    const former = await shop.subjectOf(await staff.newPhone());
    await host.cli(['keys', 'rotate', 'subject', '--until', '2100-01-01T00:00:00Z']);
    await host.restartWith({});
    const { json } = await shop.call('GET', '/relying-party/v1/subject-migrations');
    const [pair] = json!['subjects'] as readonly { formerSubjectId: string; subjectId: string }[];
    expect(pair).toEqual({ formerSubjectId: former, subjectId: expect.stringMatching(UUID) });

    const { link } = await staff.ask('POST', `/clients/${shop.clientId}/invitations`, { label: 'shop-owner' });
    const { page, close } = await enterPortal(link);
    await page.getByTestId('client').first().press('Enter');
    await page.getByTestId('migrations').waitFor();
    expect(await page.getByTestId('migrations').textContent()).toBe(`formerSubjectId,subjectId\n${former},${pair!.subjectId}\n`);
    expect(await accessibilityFaults(page, 'portal: subject IDs that change')).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await layoutFaults(page, 'portal: subject IDs that change, 320')).toEqual([]);
    await close();
  });

  it('keeps the phone, the portal, the administration and the operations from the address of logins', async () => {
    const visitor = await arrive();
    const page = await visitor.context.newPage();
    for (const path of ['phone/', 'portal/', 'portal/v1/session', 'admin/v1/clients', 'metrics', 'readyz', 'sandbox/v1/phones'])
      expect([path, (await page.goto(`https://id.example/${path}`))?.status()]).toEqual([path, 404]);
    await visitor.context.close();
  });

  const describeHere = canStartTrustServices() ? describe : describe.skip;
  describeHere("with trust services of another house, which are programs of OpenSSL behind Siemens' registration authority", () => {
    let trust: RegisteredTrustServices;

    beforeAll(async () => {
      trust = await startTrustServices(join(runDirectory(), 'trust-services'));
      await host.restartWith(trust.settings);
    });
    afterAll(async () => trust?.[Symbol.asyncDispose]());

    it('has the settings that the example names', async () => {
      const named = [...(await readFile('deploy/production/countersign.env', 'utf8')).matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
      expect(Object.keys(trust.settings).sort()).toEqual(named.sort());
    });

    it('lets a person sign with a certificate that the phone got by CMP, and OpenSSL accepts the signature', async () => {
      const shop = SigningClient.of(await RelyingParty.register(host, { redirect_uris: [REDIRECT_URI] }));
      const { holder, phone, person } = await setUpPhone();
      // the request, and the confirmation
      expect([trust.issued(), trust.passedOn()]).toEqual([1, 2]);

      const signing = await shop.begin({ hosted_page: true, redirect_uri: REDIRECT_URI });
      const visitor = await arrive();
      await visitor.context.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>The shop' }));
      const page = await visitor.open(`https://id.example/login/?t=${encodeURIComponent(signing.handoffToken)}`);
      await page.locator('html[data-state="WAITING"]').waitFor();
      await phone.paste(payloadOf(signing.sessionId, ''));
      expect(await phone.at('document-name').textContent()).toContain(NAME);
      expect((await phone.at('document-hash').textContent())?.replaceAll(' ', '')).toBe(HASH);
      await phone.confirm();
      await page.waitForURL(`${REDIRECT_URI}**`);
      expect([...holder.faults, ...visitor.faults]).toEqual([]);
      await Promise.all([holder.context.close(), visitor.context.close()]);

      const { json } = await shop.client.result(signing);
      const signed = new SignedContainer(join(runDirectory(), 'production.asice'));
      await signed.save(String(json!['container']));
      await signed.attach(NAME, DATA);
      expect(await signed.verdict(trust.rootFile)).toMatchObject({
        verdict: 'TOTAL_PASSED',
        findings: [],
        signedDataName: NAME,
        signer: { name: `${person.given_name} ${person.family_name}` },
      });
      expect(await signed.verdict(host.localCa).catch((refused: { code: number }) => refused.code)).toBe(1);
      expect(await signed.opensslVerdict(trust.rootFile)).toContain('CAdES Verification successful');
      expect(await signed.manifest()).toContain(Buffer.from(HASH, 'hex').toString('base64'));
    });
  });
});
