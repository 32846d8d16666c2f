import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import {
  type Answer,
  Browser,
  compactJws,
  exchange,
  expectError,
  expectOk,
  SigningClient,
  type Phone,
  PortalBrowser,
  RelyingParty,
  secret,
  sharedService,
  Staff,
  topology,
  word,
} from '../../support/index.js';
import { Replicas } from './replicas.js';

/*
 * Two replicas of everything, addressed one by one: an answer of one holds on the other with the next request, and a single-use step
 * succeeds once, on any replica.
 */
let replicas: Replicas;
let staff: Staff;
let shop: RelyingParty;
let phone: Phone;

beforeAll(async () => {
  replicas = Replicas.ofTheRun();
  staff = new Staff(replicas);
  shop = await RelyingParty.register(replicas);
  phone = await staff.newPhone();
});

beforeEach(() => {
  replicas.number = 0;
});

const BOTH = [
  [0, 1],
  [1, 0],
] as const;

/** Asks the replica of that number. */
const at = <T>(number: number, ask: () => Promise<T>): Promise<T> => {
  replicas.number = number;
  return ask();
};

/** So many requests at the same moment, every second one to the other replica. */
const atOnce = (count: number, ask: () => Promise<Answer>): Promise<Answer[]> => Promise.all(Array.from({ length: count }, (_, i) => at(i % 2, ask)));

const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

describe('a session', () => {
  it.each(BOTH)('created on replica %i is found at once on replica %i, and withdrawn there', async (one, other) => {
    for (let time = 0; time < 20; time++) {
      const login = await at(one, () => shop.login());
      expect(expectOk(await at(other, () => shop.status(login)))).toEqual({ status: 'PENDING', expiresAt: login.expiresAt });
      await at(other, () => shop.cancel(login));
      expect(expectOk(await at(one, () => shop.status(login)))['status']).toBe('CANCELLED');
    }
  });

  it.each(BOTH)('continues at replica %i where replica %i left it, step by step', async (one, other) => {
    const login = await at(one, () => shop.login());
    expectOk(await at(other, () => phone.scan(login.sessionId)));
    expect(expectOk(await at(one, () => shop.status(login)))['status']).toBe('SCANNED');
    expectOk(await at(one, () => phone.confirm(login.sessionId)));
    expect(expectOk(await at(other, () => shop.status(login)))['status']).toBe('CONFIRMED');
    const code = await at(one, () => shop.redeemableCode(login));
    expectError(await at(other, () => shop.complete(login)), 409, 'session_already_completed');
    expectOk(await at(other, () => shop.token(code, login.verifier)));
    expectError(await at(one, () => shop.token(code, login.verifier)), 400, 'invalid_grant');
  });

  it.each(BOTH)('on which a long poll waits at replica %i: the poll is answered when replica %i takes the scan', async (one, other) => {
    const login = await at(one, () => shop.login());
    const waiting = at(one, () => shop.status(login, { prefer: 'wait=25' }, '?since=PENDING'));
    expectOk(await at(other, () => phone.scan(login.sessionId)));
    const scanned = performance.now();
    expect(expectOk(await waiting)['status']).toBe('SCANNED');
    expect(performance.now() - scanned).toBeLessThan(15_000); // well before the wait ends
  });

  it.each(BOTH)('of the hosted page claimed at replica %i is known at replica %i, and completed there', async (one, other) => {
    const login = await at(one, () => shop.login({ hosted_page: true }));
    const browser = new Browser(replicas);
    expectOk(await at(one, () => browser.claim(login.handoffToken)));
    expect(expectOk(await at(other, () => browser.status(login.sessionId)))['status']).toBe('PENDING');
    expectError(await at(other, () => new Browser(replicas).claim(login.handoffToken)), 400, 'invalid_handoff');
    expectOk(await at(one, () => phone.scan(login.sessionId)));
    expectOk(await at(other, () => phone.confirm(login.sessionId)));
    expectOk(await at(other, () => browser.complete(login.sessionId)));
  });

  it('of a signature has the same result on both, to the byte', async () => {
    const signingClient = await SigningClient.register(replicas);
    const signing = await signingClient.completed(phone);
    const [first, second] = [await at(0, () => signingClient.client.result(signing)), await at(1, () => signingClient.client.result(signing))];
    expectOk(first);
    expect(second.text).toBe(first.text);
  });
});

describe('a client secret', () => {
  it.each([0, 1])('replaced at replica %i is invalid on both when that answers, and stays so', async (one) => {
    const client = await RelyingParty.register(replicas);
    const login = await client.login();
    const status = () => client.status(login);
    const old = client.clientSecret;
    // Both have read the client and keep its record in memory.
    expect(statusesOf(await atOnce(20, status))).toEqual(Array<number>(20).fill(200));
    const { clientSecret } = await at(one, () => staff.ask('POST', `/clients/${client.clientId}/secret`));
    for (let time = 0; time < 10; time++) expect(statusesOf(await atOnce(20, status))).toEqual(Array<number>(20).fill(401));
    client.clientSecret = secret('client secret', clientSecret as string);
    expect(client.clientSecret).not.toBe(old);
    expect(statusesOf(await atOnce(20, status))).toEqual(Array<number>(20).fill(200));
  });

  it('is invalid from the answer on, while requests still use it', async () => {
    const client = await RelyingParty.register(replicas);
    const login = await client.login();
    let answered = false;
    const late: number[] = [];
    const polls = [0, 1].map(async (number) => {
      for (let after = 0; after < 100;) {
        const begun = answered;
        const { status } = await at(number, () => client.status(login));
        if (!begun) continue;
        after++;
        late.push(status);
      }
    });
    const { clientSecret } = await staff.ask('POST', `/clients/${client.clientId}/secret`);
    secret('client secret', clientSecret as string);
    answered = true;
    await Promise.all(polls);
    expect(late).toEqual(Array<number>(200).fill(401));
  });
});

describe('a person who has logged in to the portal over the gateway', () => {
  let person: PortalBrowser;
  let client: string;

  beforeAll(async () => {
    const gateway = await sharedService();
    person = new PortalBrowser(new URL(topology!.settings['PORTAL_URL']!).origin);
    client = `/admin/v1/clients/${shop.clientId}`;
    const { link } = await staff.ask('POST', '/invitations', { label: 'auditor', roles: ['read'] });
    expect(await person.logIn(gateway, await new Staff(gateway).newPhone(), link as string)).toBe(`${person.origin}/portal/`);
  });

  it('has the session and its rights on both replicas of console and of registry', async () => {
    const shown = { roles: ['read'], clients: [], expiresAt: expect.any(Number) };
    for (const { url } of topology!.of('console')) expect(expectOk(await person.call('GET', '/portal/v1/session', { at: url }))).toMatchObject(shown);
    for (const { url } of topology!.of('registry')) expectOk(await person.call('GET', client, { at: url }));
    expectOk(await person.call('GET', client));
  });

  it('has no other rights by an admin token, which counts at the origin of the API alone', async () => {
    const headers = { authorization: `Bearer ${topology!.settings['ADMIN_TOKEN']!}` };
    expectOk(await exchange(topology!.settings['BASE_URL']!, { method: 'GET', path: client, headers }));
    expectError(await exchange(person.origin, { method: 'GET', path: client, headers }), 401, 'unauthorized');
    const json = { label: 'another', roles: ['read'] };
    expectError(await person.call('POST', '/admin/v1/invitations', { json, headers }), 403, 'forbidden');
  });

  it('is logged out on both replicas as soon as one has answered', async () => {
    const [first, second] = topology!.of('console');
    const stolen = person.copy();
    expect((await person.call('DELETE', '/portal/v1/session', { at: first!.url })).status).toBe(204);
    for (const at of [first!.url, second!.url]) expectError(await stolen.call('GET', '/portal/v1/session', { at }), 401, 'unauthorized');
    for (const { url } of topology!.of('registry')) expectError(await stolen.call('GET', client, { at: url }), 401, 'unauthorized');
  });
});

describe('single use, requested of both at once', () => {
  it('an exchange: one of 100 succeeds', async () => {
    const { code, verifier } = await shop.completed(phone);
    const answers = await atOnce(100, () => shop.token(code, verifier));
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'invalid_grant');
  });

  it('a completion: one of 20 gets the code', async () => {
    const login = await shop.confirmed(phone);
    const answers = await atOnce(20, () => shop.complete(login));
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1);
  });

  it('a claim: one of 20 browsers gets the cookie', async () => {
    const login = await shop.login({ hosted_page: true });
    const answers = await atOnce(20, () => new Browser(replicas).claim(login.handoffToken));
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1);
  });

  it('a scan: one of 10 phones has the session', async () => {
    const login = await shop.login();
    const phones = await Promise.all(Array.from({ length: 10 }, () => staff.newPhone()));
    const answers = await Promise.all(phones.map((one, i) => at(i % 2, () => one.scan(login.sessionId))));
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1);
  });

  it('a creation with one Idempotency-Key: one session', async () => {
    const key = secret('Idempotency-Key', word());
    const body = shop.sessionBody();
    const answers = await atOnce(20, () => shop.call('POST', '/relying-party/v1/session', body, { 'idempotency-key': key }));
    expect(new Set(answers.map((answer) => expectOk(answer)['sessionId'])).size).toBe(1);
  });

  it('wrong PINs: the replicas judge three, then the phone is locked on both', async () => {
    const guessed = await staff.newPhone();
    const { sessionId } = await shop.scanned(guessed);
    const answers = await atOnce(30, () => guessed.confirm(sessionId, { pin: guessed.wrongPin() }));
    expect(answers.filter(({ json }) => json?.['errorCode'] === 'wrong_pin')).toHaveLength(3);
    for (const number of [0, 1]) expectError(await at(number, async () => guessed.scan((await shop.login()).sessionId)), 423, 'device_locked');
  });

  it('the proof of a phone: one replica accepts it, and none accepts it again', async () => {
    const path = '/app/v1/device';
    const proof = compactJws(phone.proof('GET', path), phone.key);
    const answers = await atOnce(20, () => phone.callWith(proof, 'GET', path));
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1);
  });
});
