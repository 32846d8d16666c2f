import { describe, expect, it } from '@jest/globals';

import { UUID } from '../support/index.js';
import { payloadOf, readQr, sessionIn, useStage } from './support/index.js';

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
