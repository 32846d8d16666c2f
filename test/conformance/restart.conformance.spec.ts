import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';

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
  StandaloneService,
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

  it('another environment is refused with both names and is never ready, and the subjectId is the same again in the first', async () => {
    await service.stop();
    const refusal = /ended with 1;[\s\S]*ENVIRONMENT is test, but this store was begun as development/;
    await expect(service.restart({ ENVIRONMENT: 'test' })).rejects.toThrow(refusal);
    await service.restart({});
    expect(await shop.subjectOf(phone)).toBe(subjectId);
  });
});

own('a process over a KurrentDB of another environment', () => {
  it('ends with an exit code and both names, and the former one starts again', async () => {
    const server = await SpawnedTestServer.start('--dialect', '26.1');
    const settings = { ESDB_URL: server.connectionString };
    const service = await StandaloneService.start('restart-kurrentdb', settings);
    try {
      await service.stop();
      const refusal = /ended with 1;[\s\S]*ENVIRONMENT is test, but this store was begun as development/;
      await expect(service.restart({ ...settings, ENVIRONMENT: 'test' })).rejects.toThrow(refusal);
      await service.restart(settings);
      await RelyingParty.register(service);
    } finally {
      await service.kill();
      await server[Symbol.asyncDispose]();
    }
  });
});
