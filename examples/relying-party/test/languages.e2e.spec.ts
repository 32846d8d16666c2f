import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type DemoFixture, demoFixture, ORIGIN } from './demo.fixture.js';

let demo: DemoFixture;

beforeAll(async () => {
  demo = await demoFixture();
});

afterAll(() => demo.close());

describe('the language of a page', () => {
  it('is the one that the browser prefers', async () => {
    const page = await demo.browser().get('/', { 'accept-language': 'et-EE,et;q=0.9,en;q=0.5' });
    expect(page.headers['content-language']).toBe('et');
    expect(page.text).toContain('<html lang="et">');
    expect(page.text).toContain('Logi sisse telefoniga.');
  });

  it('is the one that a person has chosen, and the link leads back to the page that it was on', async () => {
    const browser = demo.browser();
    const chosen = await browser.get('/language/ru', { referer: `${ORIGIN}/sign` });
    expect(chosen).toMatchObject({ status: 303, location: '/sign' });
    expect((await browser.get('/sign', { 'accept-language': 'de' })).text).toContain('Подпишите документ с телефона.');
  });

  it.each([undefined, 'https://other.example/sign', `${ORIGIN}//other.example/`, 'nonsense'])(
    'never leads to another server (%s)',
    async (referer) => {
      const chosen = await demo.browser().get('/language/lt', referer === undefined ? {} : { referer });
      expect(chosen.location).toBe('/');
    },
  );

  it('is refused when the demo does not speak it', async () => {
    expect((await demo.browser().get('/language/fr')).status).toBe(400);
  });

  it('is that of refusals too', async () => {
    const refused = await demo.browser().get('/nothing', { 'accept-language': 'de' });
    expect(refused.status).toBe(404);
    expect(refused.text).toContain('Hier ist nichts');
  });
});
