import { describe, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { eventually } from '#testkit/kernel/eventually';

import { startsProcesses } from '../support/index.js';
import { useStage, WebPhone } from './support/index.js';
import { moveClock } from './support/move-clock.js';

const stage = useStage();

/** The calls that the home screen sends when it is opened. */
const FIRST_CALLS = ['/app/v1/device', '/app/v1/devices', '/app/v1/session/pending'];

/** Whether the service has refused first calls, and the page has sent each of these again. One that is sent after the first refusal has the right time already. */
const repetitions = (page: Page): (() => boolean) => {
  const [refused, repeated] = [new Set<string>(), new Set<string>()];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (refused.has(pathname)) repeated.add(pathname);
  });
  page.on('response', (response) => response.status() === 401 && refused.add(new URL(response.url()).pathname));
  return () => FIRST_CALLS.some((path) => refused.has(path)) && FIRST_CALLS.every((path) => !refused.has(path) || repeated.has(path));
};

const isReady = (phone: WebPhone): Promise<void> => phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();

/** After the repetitions, a screen that took a refusal for a revocation would be there. */
const staysReady = async (phone: WebPhone, areRepeated: () => boolean): Promise<void> => {
  await eventually(areRepeated);
  await isReady(phone);
  await phone.screen('HOME');
};

/** Opens the phone of this window in another one, whose clock is moved. */
const withClock = async (first: Page, seconds: number, use: (phone: WebPhone, areRepeated: () => boolean) => Promise<void>): Promise<void> => {
  const page = await first.context().newPage();
  await moveClock(page, seconds);
  const areRepeated = repetitions(page);
  await page.goto(stage.addresses.phone);
  await use(new WebPhone(page), areRepeated);
  await page.close();
};

describe('the home of a web phone whose clock is wrong', () => {
  it('is ready at each start: by 61, 120 and 5,000 s, ahead and behind', async () => {
    const { page: first } = await stage.phone();
    for (const seconds of [61, -61, 120, -120, 5000, -5000]) await withClock(first, seconds, staysReady);
  });

  it('confirms a login', async () => {
    const { page: first } = await stage.phone();
    const demo = await stage.demo(await stage.visitor());
    await withClock(first, -5000, async (phone) => {
      await phone.paste(await demo.logInOnHostedPage());
      await phone.confirm();
      await demo.subjectId();
    });
  });

  it('tells a revocation', async () => {
    const person = await stage.staff.registerPerson();
    const { page: first } = await stage.phone({ of: person });
    const { devices } = await stage.staff.ask('GET', `/identities/${person.identityId}/devices`);
    const [{ deviceId }] = devices as [{ deviceId: string }];
    await stage.staff.ask('DELETE', `/identities/${person.identityId}/devices/${deviceId}`);
    await withClock(first, 5000, (phone) => phone.screen('REVOKED'));
  });
});

// Where the suite starts the service itself: only then may it move the clock.
(startsProcesses ? describe : describe.skip)('a service whose clock is moved by 61 s', () => {
  const time = useStage({ ownService: 'phone-clock' });

  it('revokes no phone', async () => {
    const phone = await time.phone();
    await isReady(phone);
    await time.pass(61);
    const areRepeated = repetitions(phone.page);
    await phone.page.reload();
    await staysReady(phone, areRepeated);
  });
});
