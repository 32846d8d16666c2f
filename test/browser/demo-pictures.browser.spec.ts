import { describe, expect, it } from '@jest/globals';

import { pictureFaults, useStage } from './support/index.js';

const stage = useStage();

/** The parts that differ from run to run. */
const CHANGING = ['[data-clock]', '.qr'];

const FILE = { name: 'Rental contract.txt', mimeType: 'text/plain', buffer: Buffer.from('The contract, in full.\n') };

describe('the demo looks as accepted', () => {
  it('at home, in German too', async () => {
    const demo = await stage.demo(await stage.visitor());
    expect(await pictureFaults(demo.page, 'demo-home')).toEqual([]);
    await demo.at('language-de').click();
    await demo.page.locator('html[lang="de"]').waitFor();
    expect(await pictureFaults(demo.page, 'demo-home-german')).toEqual([]);
  });

  it('from the choice of a document to the signed page', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = await stage.phone({ of: person });
    const demo = await stage.demo(await stage.visitor());
    await demo.at('sign-document').click();
    await demo.at('file').setInputFiles(FILE);
    await demo.at('begin-signing').click();
    await demo.scene('PENDING');
    expect(await pictureFaults(demo.page, 'demo-signature', CHANGING)).toEqual([]);
    await phone.paste((await demo.page.locator('[data-scene="PENDING"] [data-testid="open-app"]').getAttribute('href')) ?? '');
    await phone.confirm();
    await demo.at('download').waitFor();
    await demo.at('signer').waitFor();
    await demo.at('verify').locator('summary').click();
    // Another date may be longer and need one more line.
    await demo.page.evaluate(() => {
      for (const time of document.querySelectorAll('main time')) time.textContent = '2 March 2026 at 10:30:00 UTC';
    });
    expect(await pictureFaults(demo.page, 'demo-signed', CHANGING)).toEqual([]);
  });
});
