import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { runDirectory, SigningClient } from '../support/index.js';
import { accessibilityFaults, attachSigned, type DemoLibrary, hostedLogin, Keyboard, readQr, useStage, verifySigned } from './support/index.js';

const stage = useStage();

const NAME = 'Lepe — договор 1.txt';
const DATA = Buffer.from('The contract, in full.\n');
const FILE = { name: NAME, mimeType: 'text/plain', buffer: DATA };
const HASH = createHash('sha512').update(DATA).digest('hex');

/** Goes from the home page to the QR code; answers its payload. */
const beginSigning = async (demo: DemoLibrary): Promise<string> => {
  await demo.at('sign-document').click();
  await demo.at('file').setInputFiles(FILE);
  await demo.at('title').fill('Rent, two rooms');
  await demo.at('begin-signing').click();
  await demo.scene('PENDING');
  return readQr(demo.at('qr-code'));
};

const verify = async (path: string): Promise<unknown> => {
  const root = await fetch(`${stage.addresses.service}/pki/root.cer`);
  return verifySigned(path, Buffer.from(await root.arrayBuffer()));
};

describe('a document', () => {
  it('is chosen, hashed in the page, shown and signed on the phone, and downloaded with its signature', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = await stage.phone({ of: person });
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    await phone.paste(await beginSigning(demo));
    await demo.scene('SCANNED');
    expect(await phone.at('request-title').textContent()).toBe('Rent, two rooms');
    expect(await phone.at('document-name').textContent()).toContain(NAME);
    expect(await phone.at('document-size').textContent()).toBe(`${DATA.length} bytes`);
    expect((await phone.at('document-hash').textContent())?.replaceAll(' ', '')).toBe(HASH);
    expect((await demo.page.locator('[data-scene="SCANNED"]').getByTestId('document-hash').textContent())?.replaceAll(' ', '')).toBe(HASH);

    const download = demo.page.waitForEvent('download');
    await phone.confirm();
    const saved = join(runDirectory(), 'signed.asice');
    expect((await download).suggestedFilename()).toBe(`${NAME}.asice`);
    await (await download).saveAs(saved);

    const report = await verify(saved);
    expect(report).toMatchObject({
      verdict: 'TOTAL_PASSED',
      findings: [],
      signedDataName: NAME,
      signedDataHash: HASH,
      signer: { name: 'Ada Byron' },
    });
    expect((await readFile(saved)).includes(DATA)).toBe(true);
    for (const request of visitor.requests) expect(request.postData() ?? '').not.toContain('The contract');
  });

  it('must be chosen again after a reload, and no other is accepted', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await beginSigning(demo));
    await demo.page.reload();
    await phone.confirm();
    await demo.scene('SIGNED');
    const again = demo.at('file-again');
    await again.setInputFiles({ ...FILE, buffer: Buffer.from('Another contract.') });
    await demo.at('problem').waitFor();
    expect(await demo.at('problem').textContent()).toContain('not the document that was signed');
    const download = demo.page.waitForEvent('download');
    await again.setInputFiles(FILE);
    const saved = join(runDirectory(), 'signed-later.asice');
    await (await download).saveAs(saved);
    expect(await verify(saved)).toMatchObject({ verdict: 'TOTAL_PASSED' });
  });

  it('with a name that cannot be signed is refused with a message, and the form stays', async () => {
    const demo = await stage.demo(await stage.visitor());
    await demo.at('sign-document').click();
    await demo.at('file').setInputFiles({ ...FILE, name: 'mimetype' });
    await demo.at('begin-signing').click();
    await demo.at('problem').waitFor();
    expect(await demo.at('problem').textContent()).toContain('Give it a plain name');
  });

  it('that the phone declined is not signed', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await beginSigning(demo));
    await phone.decline();
    await demo.scene('CANCELLED');
  });
});

describe('several documents', () => {
  it('are listed by the hosted page and by the phone, and signed with one PIN in one container', async () => {
    const files = ['First, the rent.', 'Second, the house rules.', 'Third, the keys.'].map((text) => Buffer.from(text));
    const documents = files.map((file, at) => ({
      name: `Lepe — договор ${at + 1}.txt`,
      hash: createHash('sha512').update(file).digest('hex'),
      size: file.length,
    }));
    const one = { signed_data_hash: undefined, signed_data_name: undefined, signed_data_size: undefined };
    const login = await hostedLogin(stage, { signing: true, more: { ...one, documents, title: 'Rent, two rooms' } });
    const phone = await stage.anyPhone();
    await phone.paste((await login.at('open-app').getAttribute('href')) ?? '');
    for (const screen of [login, phone]) {
      expect(await screen.at('document-name').allTextContents()).toEqual(documents.map(({ name }) => name));
      expect(await screen.at('document-size').allTextContents()).toEqual(documents.map(({ size }) => `${size} bytes`));
      const hashes = await screen.at('document-hash').allTextContents();
      expect(hashes.map((hash) => hash.replaceAll(' ', ''))).toEqual(documents.map(({ hash }) => hash));
      expect(await screen.at('document').locator('h2').allTextContents()).toEqual(['Document 1/3', 'Document 2/3', 'Document 3/3']);
    }

    await phone.confirm();
    expect(await SigningClient.of(login.shop).settled(login.login)).toBe('COMPLETED');
    const { container } = (await login.shop.result(login.login)).json as { container: string };
    const saved = join(runDirectory(), 'several.asice');
    await writeFile(saved, Buffer.from(container, 'base64'));
    for (const [at, file] of files.entries()) {
      const path = join(runDirectory(), `several-${at}`);
      await writeFile(path, file);
      await attachSigned(saved, path);
    }
    expect(await verify(saved)).toMatchObject({
      verdict: 'TOTAL_PASSED',
      findings: [],
      documents: documents.map(({ name, hash }) => ({ name, hash })),
      request: { relyingParty: login.shop.name, title: 'Rent, two rooms' },
    });
  });
});

describe('accessibility of signing', () => {
  it('axe finds no serious fault on any page', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    const found: string[] = [];
    const look = async (screen: string): Promise<void> => void found.push(...(await accessibilityFaults(demo.page, screen)));
    await demo.at('sign-document').click();
    await look('sign: form');
    await demo.page.goBack();
    await phone.paste(await beginSigning(demo));
    await look('signing: scanned');
    await phone.confirm();
    await demo.at('download').waitFor();
    await look('signing: signed');
    expect(found).toEqual([]);
  });

  it('the keyboard is enough', async () => {
    const demo = await stage.demo(await stage.visitor());
    const keys = new Keyboard(demo.page);
    await keys.activate('[data-testid="sign-document"]');
    await demo.page.waitForURL('**/sign');
    // Before the way to the field: a dialogue that opens at once would be missed.
    const chooser = demo.page.waitForEvent('filechooser');
    await keys.to('[data-testid="file"]');
    const path = join(runDirectory(), 'by-keyboard.txt');
    await writeFile(path, DATA);
    await keys.press('Space');
    await (await chooser).setFiles(path);
    await keys.activate('[data-testid="begin-signing"]');
    await demo.scene('PENDING');
    expect(await demo.page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await keys.to('[data-scene="PENDING"] [data-testid="open-app"]');
  });
});
