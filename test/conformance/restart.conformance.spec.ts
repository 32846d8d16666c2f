import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  Browser,
  expectError,
  expectOk,
  type Login,
  type OwnService,
  type Phone,
  RelyingParty,
  Staff,
  startOwn,
  startsOwn,
} from '../support/index.js';

/** Needs a process that may be stopped. The drills show the state after a crash. */
const own = startsOwn ? describe : describe.skip;

own('after a restart on the same data', () => {
  let service: OwnService;
  let shop: RelyingParty;
  let phone: Phone;
  let subjectId: string;
  let scanned: Login;
  let completed: Login & { code: string };
  let hosted: Login;
  let browser: Browser;

  beforeAll(async () => {
    service = await startOwn('restart');
    shop = await RelyingParty.register(service);
    phone = await new Staff(service).newPhone();
    subjectId = await shop.subjectOf(phone);
    scanned = await shop.scanned(phone);
    completed = await shop.completed(phone);
    hosted = await shop.login({ hosted_page: true });
    browser = new Browser(service);
    expectOk(await browser.claim(hosted.handoffToken));
    await service.stop();
    await service.restart();
  });

  afterAll(() => service.stop());

  it('a login continues', async () => {
    expectOk(await phone.confirm(scanned.sessionId));
    expect(expectOk(await shop.token(await shop.redeemableCode(scanned), scanned.verifier))['subjectId']).toBe(subjectId);
  });

  it('a code that was handed out works, once', async () => {
    expectOk(await shop.token(completed.code, completed.verifier));
    expectError(await shop.token(completed.code, completed.verifier), 400, 'invalid_grant');
  });

  it('a login cookie still works, and its handoff token is spent', async () => {
    expect(expectOk(await browser.status(hosted.sessionId))['status']).toBe('PENDING');
    expectError(await new Browser(service).claim(hosted.handoffToken), 400, 'invalid_handoff');
  });

  it('another environment takes nothing from the data of this one, and the subjectId is the same again in the first', async () => {
    await service.stop();
    const readiness = service.restart({ ENVIRONMENT: 'test' }).catch(() => 'never ready');
    const answers = (): Promise<boolean> =>
      shop.post().then(
        () => true,
        () => false,
      );
    await eventually(answers, { what: 'the service in the other environment answers' });
    expectError(await shop.post(), 503, 'service_unavailable');
    await service.stop();
    expect(await readiness).toBe('never ready');
    await service.restart({});
    expect(await shop.subjectOf(phone)).toBe(subjectId);
  });
});
