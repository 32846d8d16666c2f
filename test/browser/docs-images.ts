import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

import { runDirectory } from '../support/index.js';
import { useStage, type Visitor } from './support/index.js';

/** `npm run docs:images`: the pictures of `docs/images`, each a page at a desk by day and on a phone by night. In Noto Sans: install `fonts-noto-core` first. */
const stage = useStage();

const DESK = { width: 1160, height: 880 };
const HAND = { width: 390, height: 844 };
/** Pixels, of the finished picture. */
const HEIGHT = 480;
const GAP = 24;

const IMAGES = resolve('docs/images');

const takePicture = async (visitor: Visitor, name: string, page: Page): Promise<void> => {
  mkdirSync(IMAGES, { recursive: true });
  const shot = async (colorScheme: 'light' | 'dark', viewport: typeof DESK): Promise<string> => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.evaluate(() => scrollTo(0, 0));
    const path = join(runDirectory(), `${name}-${colorScheme}-${viewport.width}.png`);
    return `data:image/png;base64,${(await page.screenshot({ path })).toString('base64')}`;
  };
  const [desk, hand] = [await shot('light', DESK), await shot('dark', HAND)];
  await shot('dark', DESK);
  await shot('light', HAND);
  const sheet = await visitor.context.newPage();
  await sheet.setContent(`<style>
    body { margin: 0; background: transparent }
    main { display: inline-flex; gap: ${GAP}px; padding: 2px }
    img { height: ${HEIGHT}px; border-radius: 10px; outline: 1px solid #8886 }
  </style><main><img src="${desk}"><img src="${hand}"></main>`);
  await sheet.locator('main').screenshot({ path: join(IMAGES, `${name}.png`), omitBackground: true });
  await sheet.close();
};

/** A reader sees the demo's own port, not that of this run. */
const showOwnPort = (domain: Locator): Promise<unknown> => domain.evaluate((element) => (element.textContent = 'localhost:3001'));

describe('the pictures in the documentation', () => {
  it('show the pages as they are', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron', date_of_birth: '1990-05-17' });
    const phone = await stage.phone({ of: person });
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    await demo.page.locator('summary').click();
    await demo.page.locator('[name="title"]').fill('Renew your library card');
    await demo.page.locator('[name="attributes"][value="name"]').check();
    await demo.page.locator('[name="predicates"][value="ageOver18"]').check();
    const link = await demo.logInOnHostedPage();
    await demo.page.locator('h1').evaluate((heading) => heading.blur());
    await showOwnPort(demo.at('domain'));
    await takePicture(visitor, 'hosted-login', demo.page);
    await phone.paste(link);
    await showOwnPort(phone.at('party-domain'));
    await takePicture(visitor, 'web-phone', phone.page);
    await phone.confirm();
    await demo.subjectId();
    await takePicture(visitor, 'demo', demo.page);
    expect(await demo.at('attribute-name').textContent()).toBe('Ada Byron');
  });
});
