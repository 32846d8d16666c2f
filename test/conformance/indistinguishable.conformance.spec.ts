import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { type Answer, basic, Browser, bytesOf, expectError, newCast, newPkce, Phone, RelyingParty, UNKNOWN_SESSION } from '../support/index.js';

const { service, staff, shop, phone } = await newCast();
const other = await RelyingParty.register(service);

/** Status, body and every header but the date and the request id. */
const expectSameBytes = (answers: readonly Answer[]): void => {
  expect([...new Set(answers.map(bytesOf))]).toHaveLength(1);
};

describe('the causes are not distinguished, to the byte', () => {
  it('invalid_grant: unknown, malformed, altered, consumed, of another client, another verifier, never handed out, withdrawn person', async () => {
    const fresh = await shop.completed(phone);
    const spent = await shop.completed(phone);
    await shop.token(spent.code, spent.verifier);
    const person = await staff.registerPerson();
    const erased = await shop.completed(await staff.phoneOf(person));
    await staff.ask('DELETE', `/identities/${person.identityId}`);
    const { handoffToken } = await shop.login({ hosted_page: true });
    const answers = [
      await shop.token('x', fresh.verifier),
      await shop.token('x'.repeat(255), fresh.verifier),
      await shop.token(fresh.code.slice(0, -2), fresh.verifier),
      await shop.token(`${fresh.code}AA`, fresh.verifier),
      await shop.token(fresh.code.slice(0, 30) + (fresh.code[30] === 'A' ? 'B' : 'A') + fresh.code.slice(31), fresh.verifier),
      await shop.token(handoffToken, fresh.verifier),
      await shop.token(spent.code, spent.verifier),
      await shop.token(spent.code, newPkce().verifier),
      await other.token(fresh.code, fresh.verifier),
      await other.token(spent.code, spent.verifier),
      await shop.token(fresh.code, newPkce().verifier),
      await shop.token(fresh.code, 'a'.repeat(128)),
      await shop.token(erased.code, erased.verifier),
    ];
    for (const answer of answers) expectError(answer, 400, 'invalid_grant');
    expectSameBytes(answers);
  });

  it('invalid_handoff: unknown, malformed, altered, claimed, session scanned, confirmed, completed or cancelled', async () => {
    const hosted = { hosted_page: true };
    const claimed = await shop.login(hosted);
    await new Browser(service).claim(claimed.handoffToken);
    const cancelled = await shop.login(hosted);
    await shop.cancel(cancelled);
    const fresh = await shop.login(hosted);
    const { code } = await shop.completed(phone);
    const tokens = [
      'x',
      '',
      'x'.repeat(5000),
      randomUUID(),
      code,
      `${fresh.handoffToken}A`,
      fresh.handoffToken.slice(0, -1),
      claimed.handoffToken,
      cancelled.handoffToken,
      (await shop.scanned(phone, hosted)).handoffToken,
      (await shop.confirmed(phone, hosted)).handoffToken,
      (await shop.completed(phone, hosted)).handoffToken,
    ];
    const answers = [];
    for (const token of tokens) answers.push(await new Browser(service).claim(token));
    for (const answer of answers) expectError(answer, 400, 'invalid_handoff');
    expectSameBytes(answers);
  });

  it.each([
    ['GET status', (client: RelyingParty, sessionId: string) => client.status({ sessionId })],
    ['GET status, waiting', (client: RelyingParty, sessionId: string) => client.status({ sessionId }, { prefer: 'wait=1' })],
    ['POST completion', (client: RelyingParty, sessionId: string) => client.complete({ sessionId })],
    ['GET result', (client: RelyingParty, sessionId: string) => client.result({ sessionId })],
    ['DELETE session', (client: RelyingParty, sessionId: string) => client.cancel({ sessionId })],
  ])("unknown session and another client's session: %s", async (_, ask) => {
    const cancelled = await shop.login();
    await shop.cancel(cancelled);
    const foreign = [await shop.login(), await shop.scanned(phone), await shop.confirmed(phone), await shop.completed(phone), cancelled];
    const answers = [];
    for (const id of [UNKNOWN_SESSION, randomUUID(), 'x', ...foreign.map(({ sessionId }) => sessionId)]) answers.push(await ask(other, id));
    for (const answer of answers) expectError(answer, 404, 'session_not_found');
    expectSameBytes(answers);
  });

  it('401 of Basic authentication: every cause, on every endpoint', async () => {
    const { sessionId } = await shop.login();
    const causes = [
      undefined,
      '',
      'Bearer x',
      'Basic',
      'Basic !',
      basic(shop.clientId, 'wrong'),
      basic(shop.clientId, ''),
      basic(shop.clientId, other.clientSecret),
      basic('shop', 'x'),
      basic(randomUUID(), shop.clientSecret),
    ];
    const calls: [string, string][] = [
      ['POST', '/session'],
      ['GET', `/session/${sessionId}/status`],
      ['GET', `/session/${randomUUID()}/status`],
      ['POST', `/session/${sessionId}/completion`],
      ['POST', '/session/token'],
      ['GET', `/session/${sessionId}/result`],
      ['DELETE', `/session/${sessionId}`],
      ['POST', '/create-signing-request'],
      ['GET', '/nothing'],
    ];
    const answers = [];
    for (const authorization of causes) {
      for (const [method, path] of calls) {
        answers.push(await service.send({ method, path: `/relying-party/v1${path}`, headers: authorization === undefined ? {} : { authorization } }));
      }
    }
    for (const answer of answers) expect(answer.status).toBe(401);
    expectSameBytes(answers);
  });

  it('no_login_cookie: none, empty, malformed, altered, of another kind', async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    const { code } = await shop.completed(phone);
    const cookie = browser.cookie!;
    const answers = [];
    for (const value of [
      undefined,
      '',
      'x',
      code,
      login.handoffToken,
      login.sessionId,
      `${cookie}A`,
      cookie.slice(0, -1),
      cookie.slice(0, 20) + (cookie[20] === 'A' ? 'B' : 'A') + cookie.slice(21),
    ]) {
      const stranger = new Browser(service);
      stranger.cookie = value;
      answers.push(await stranger.status(login.sessionId));
    }
    for (const answer of answers) expectError(answer, 401, 'no_login_cookie');
    expectSameBytes(answers);
  });

  it('session_not_found on the phone: unknown, no UUID, or of another device', async () => {
    const stranger = await staff.newPhone();
    const answers = [];
    for (const id of [UNKNOWN_SESSION, randomUUID(), 'x', (await shop.scanned(phone)).sessionId]) answers.push(await stranger.confirm(id));
    for (const answer of answers) expectError(answer, 404, 'session_not_found');
    expectSameBytes(answers);
  });

  it('invalid_activation_code: unknown, altered, used, of an erased person', async () => {
    const [used, person] = [await staff.activationCode(await staff.registerPerson()), await staff.registerPerson()];
    await new Phone(service).enrol(used);
    const orphan = await staff.activationCode(person);
    await staff.ask('DELETE', `/identities/${person.identityId}`);
    const answers = [];
    for (const code of ['x', randomUUID(), used, orphan, `${used}A`, used.slice(0, -1)]) {
      const fresh = new Phone(service);
      answers.push(await fresh.tryEnrol(await fresh.enrolmentBody(code)));
    }
    for (const answer of answers) expectError(answer, 400, 'invalid_activation_code');
    expectSameBytes(answers);
  });

  it('POST session: a subject_id that exists and one that does not', async () => {
    const subjectId = await shop.subjectOf(phone);
    const shapes = [];
    for (const subject_id of [subjectId, randomUUID()]) {
      const { status, headers, json } = await shop.post({ subject_id });
      shapes.push({ status, headers: Object.keys(headers).sort(), pushStatus: json?.['pushStatus'], fields: Object.keys(json!).sort() });
    }
    expect(shapes[0]).toEqual(shapes[1]);
  });
});
