import { describe, expect, it } from '@jest/globals';

import { UUID } from '../support/index.js';
import { hostedLogin, payloadOf, readQr, sessionIn, useStage } from './support/index.js';

const stage = useStage();

const SCREENS = [
  ['a phone', { viewport: { width: 390, height: 844 } }],
  ['a desk', { viewport: { width: 1280, height: 800 } }],
  ['a sharp screen', { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 }],
  ['a dark desk', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
] as const;

describe('the QR code', () => {
  it.each(SCREENS)('of the hosted page gives the specification’s payload on %s', async (_, options) => {
    const demo = await stage.demo(await stage.visitor(options));
    const link = await demo.logInOnHostedPage();
    const read = await readQr(demo.at('qr'));
    expect(sessionIn(read)).toMatch(UUID);
    expect(read).toBe(payloadOf(sessionIn(read), `${stage.addresses.login}/#r`));
    expect(link).toBe(read);
  });

  it.each(SCREENS)('of the relying party’s own page gives it on %s', async (_, options) => {
    const demo = await stage.demo(await stage.visitor(options));
    const read = await demo.logInHere();
    expect(sessionIn(read)).toMatch(UUID);
    expect(read).toBe(payloadOf(sessionIn(read), `${stage.addresses.demo}/waiting`));
  });
});

describe('the code of the hosted page', () => {
  /** As a camera may see it. */
  const VIEWS = {
    blurred: 'filter: blur(2px)',
    tilted: 'transform: perspective(900px) rotateY(28deg) rotateZ(9deg)',
    small: 'transform: scale(0.34)',
    'small, blurred and tilted': 'transform: perspective(1200px) rotateX(16deg) rotateZ(-6deg) scale(0.5); filter: blur(1px)',
  };

  it.each(Object.entries(VIEWS))('is read when it is %s', async (_, style) => {
    const login = await hostedLogin(stage);
    const picture = (await login.at('qr').screenshot()).toString('base64');
    const sheet = await login.page.context().newPage();
    await sheet.setContent(
      `<body style="margin:0;background:#fff"><main style="display:grid;place-items:center;width:760px;height:760px"><img style="${style}" src="data:image/png;base64,${picture}"></main>`,
    );
    expect(await readQr(sheet.locator('main'))).toContain(login.login.sessionId);
  });

  it.each([
    { width: 360, height: 780, deviceScaleFactor: 3 },
    { width: 1280, height: 800, deviceScaleFactor: 1 },
    { width: 1366, height: 700, deviceScaleFactor: 1.25 },
  ])('has modules of whole pixels and at most 41 of them: %j', async ({ deviceScaleFactor, ...viewport }) => {
    const login = await hostedLogin(stage, { visitor: await stage.visitor({ viewport, deviceScaleFactor }) });
    const { modules, width } = await login.at('qr-code').evaluate((code) => ({
      modules: Number(code.getAttribute('viewBox')?.split(' ')[2]),
      width: Number(code.getAttribute('width')),
    }));
    expect(modules - 8).toBeLessThanOrEqual(41);
    expect(((width / modules) * deviceScaleFactor) % 1).toBeCloseTo(0, 4);
    expect(width).toBeGreaterThan(viewport.width < 400 ? 0.6 * viewport.width : 0.5 * viewport.height);
    expect(width).toBeLessThanOrEqual(0.6 * viewport.height);
  });
});
