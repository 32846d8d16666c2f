import { beforeAll, describe, expect, it } from '@jest/globals';

import { expectError, expectOk, newPkce, RelyingParty, secret, type Service, sharedService, Staff, word } from '../support/index.js';

let service: Service;
let shop: RelyingParty;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service);
});

const key = (): string => secret('Idempotency-Key', `key-${word()}`);
const post = (body: unknown, idempotencyKey: string, client = shop) =>
  client.call('POST', '/relying-party/v1/session', body, { 'idempotency-key': idempotencyKey });

describe('Idempotency-Key', () => {
  it('answers the same session to the same body', async () => {
    const [same, body] = [key(), shop.sessionBody()];
    const first = expectOk(await post(body, same));
    for (let i = 0; i < 3; i++) expect(expectOk(await post(body, same))).toEqual(first);
  });

  it('answers the same handoffToken, which is still claimed once', async () => {
    const [same, body] = [key(), shop.sessionBody({ hosted_page: true })];
    const first = expectOk(await post(body, same));
    secret('handoff token', first['handoffToken'] as string);
    expect(expectOk(await post(body, same))).toEqual(first);
  });

  it('with another body is idempotency_conflict', async () => {
    const [same, body] = [key(), shop.sessionBody()];
    expectOk(await post(body, same));
    expectError(await post({ ...body, code_challenge: newPkce().challenge }, same), 409, 'idempotency_conflict');
    expectOk(await post(body, same));
  });

  it("is the client's own: another client with the same key gets another session", async () => {
    const other = await RelyingParty.register(service);
    const same = key();
    const [mine, theirs] = [expectOk(await post(shop.sessionBody(), same)), expectOk(await post(other.sessionBody(), same, other))];
    expect(mine['sessionId']).not.toBe(theirs['sessionId']);
  });

  it('of fifty requests at once all get one session', async () => {
    const [same, body] = [key(), shop.sessionBody()];
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, same)));
    expect(new Set(answers.map((answer) => expectOk(answer)['sessionId'])).size).toBe(1);
  });

  it('of fifty requests at once with two bodies one body wins', async () => {
    const same = key();
    const bodies = [shop.sessionBody(), shop.sessionBody()];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => post(bodies[i % 2], same)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(25).fill(200), ...Array<number>(25).fill(409)]);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json?.['sessionId'])).size).toBe(1);
  });

  it('does not push twice', async () => {
    const phone = await new Staff(service).newPhone();
    const [same, body] = [key(), shop.sessionBody({ push: true, subject_id: await shop.subjectOf(phone) })];
    await post(body, same);
    await post(body, same);
    expect(await phone.pendingIds()).toHaveLength(1);
  });

  it.each(['x', '!', '~'.repeat(255), 'a"b\\c'])('is 1 to 255 visible ASCII characters: %s', async (visible) => {
    const client = await RelyingParty.register(service);
    expectOk(await post(client.sessionBody(), visible, client));
  });

  it.each(['', 'x'.repeat(256), 'a b', 'tab\there', 'é'])('may not be %p', async (wrong) => {
    expectError(await post(shop.sessionBody(), wrong), 400, 'invalid_request', 'Idempotency-Key');
  });
});
