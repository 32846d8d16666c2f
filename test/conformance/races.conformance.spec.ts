import { describe, expect, it } from '@jest/globals';

import {
  type Answer,
  Browser,
  codeIn,
  expectError,
  expectOk,
  type Login,
  newCast,
  pause,
  RelyingParty,
  secret,
  Staff,
  startOwn,
  startsOwn,
  UUID,
} from '../support/index.js';

const { service, staff, shop, phone } = await newCast();

const times = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, (_, i) => work(i)));

/** How many answers carry which status and error code. */
const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const key = status < 400 ? String(status) : `${status} ${json?.['errorCode']}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

const eventsOf = async (sessionId: string): Promise<string[]> =>
  (expectOk(await staff.timeline(sessionId))['events'] as { type: string }[]).map(({ type }) => type);

describe('at once', () => {
  it('1,000 exchanges of one code: exactly one 200', async () => {
    const { code, verifier, sessionId } = await shop.completed(phone);
    const answers = await times(1000, () => shop.token(code, verifier));
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_grant': 999 });
    expect((await eventsOf(sessionId)).filter((type) => type === 'CodeRedeemed')).toHaveLength(1);
  });

  it('200 exchanges of one code, every second one wrong: exactly one 200', async () => {
    const { code, verifier } = await shop.completed(phone);
    const answers = await times(200, (i) => shop.token(code, i % 2 === 0 ? verifier : 'a'.repeat(43)));
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_grant': 199 });
  });

  it('100 claims of one token: one cookie', async () => {
    const { handoffToken, sessionId } = await shop.login({ hosted_page: true });
    const browsers = Array.from({ length: 100 }, () => new Browser(service));
    const answers = await Promise.all(browsers.map((browser) => browser.claim(handoffToken)));
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_handoff': 99 });
    const holders = browsers.filter(({ cookie }) => cookie !== undefined);
    expect(holders).toHaveLength(1);
    expectOk(await holders[0]!.status(sessionId));
  });

  it('100 completions: one redirect', async () => {
    const login = await shop.confirmed(phone);
    const answers = await times(100, () => shop.complete(login));
    expect(tally(answers)).toEqual({ 200: 1, '409 session_already_completed': 99 });
  });

  it('100 completions, by the client and on the hosted page: one redirect', async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    const { cookie } = browser;
    const answers = await times(100, (i) => {
      if (i % 2 === 0) return shop.complete(login);
      const tab = new Browser(service);
      tab.cookie = cookie;
      return tab.complete(login.sessionId);
    });
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    codeIn(won[0]!.json!['redirect'] as string);
    expect(tally(answers)['409 session_already_completed']).toBe(99);
  });

  it('twenty phones scan: one wins, and only that one can confirm', async () => {
    const phones = await times(20, () => staff.newPhone());
    const login = await shop.login();
    const answers = await Promise.all(phones.map((one) => one.scan(login.sessionId)));
    expect(tally(answers)).toEqual({ 200: 1, '409 session_already_scanned': 19 });
    const winner = answers.findIndex(({ status }) => status === 200);
    const confirmations = await Promise.all(phones.map((one) => one.confirm(login.sessionId)));
    expect(tally(confirmations)).toEqual({ 200: 1, '404 session_not_found': 19 });
    expect(confirmations[winner]!.status).toBe(200);
  });

  it('a claim and a scan: the token is claimed before the scan, or not at all', async () => {
    for (let i = 0; i < 10; i++) {
      const login = await shop.login({ hosted_page: true });
      const [claim] = await Promise.all([new Browser(service).claim(login.handoffToken), phone.scan(login.sessionId)]);
      const events = await eventsOf(login.sessionId);
      expect(events).toEqual(claim.status === 200 ? ['SessionCreated', 'HandoffClaimed', 'SessionScanned'] : ['SessionCreated', 'SessionScanned']);
    }
  });

  it('100 PIN guesses with the right one among them: at most 3 are judged wrong', async () => {
    for (const right of [0, 50, 99]) {
      const guesser = await staff.newPhone();
      const login = await shop.scanned(guesser);
      const answers = await times(100, (i) => guesser.confirm(login.sessionId, i === right ? {} : { pin: guesser.wrongPin(i) }));
      const counts = tally(answers);
      expect(counts['403 wrong_pin'] ?? 0).toBeLessThanOrEqual(3);
      const status = await shop.statusOf(login, (counts['200'] ?? 0) > 0 ? 'CONFIRMED' : 'CANCELLED');
      expect(status).toBe((counts['200'] ?? 0) > 0 ? 'CONFIRMED' : 'CANCELLED');
      expect((await eventsOf(login.sessionId)).filter((type) => type === 'SessionConfirmed' || type === 'SessionCancelled')).toHaveLength(1);
    }
  });

  it('100 wrong PINs over ten sessions: three are judged, the device is locked, no session is confirmed', async () => {
    const guesser = await staff.newPhone();
    const logins = await times(10, () => shop.scanned(guesser));
    const answers = await times(100, (i) => guesser.confirm(logins[i % 10]!.sessionId, { pin: guesser.wrongPin(i) }));
    const counts = tally(answers);
    expect(counts['403 wrong_pin']).toBe(3);
    expect(counts['200']).toBeUndefined();
    expect(
      answers
        .filter(({ status }) => status === 403)
        .map(({ json }) => (json?.['payload'] as { attemptsLeft: number }).attemptsLeft)
        .sort(),
    ).toEqual([0, 1, 2]);
    expect(expectOk(await guesser.show())['status']).toBe('LOCKED');
  });

  it('60 approvals by one phone: all succeed', async () => {
    const busy = await staff.newPhone();
    const logins = await times(60, () => shop.scanned(busy));
    const answers = await Promise.all(logins.map(({ sessionId }) => busy.confirm(sessionId)));
    expect(tally(answers)).toEqual({ 200: 60 });
    const subjects = await Promise.all(
      logins.map(async (login) => expectOk(await shop.token(await shop.redeemableCode(login), login.verifier))['subjectId']),
    );
    expect(new Set(subjects).size).toBe(1);
    expect(subjects[0]).toMatch(UUID);
  });

  it('a confirmation, a decline and a withdrawal: one end, which stays', async () => {
    for (let i = 0; i < 20; i++) {
      const login = await shop.scanned(phone);
      const [confirmed, declined, withdrawn] = await Promise.all([
        phone.confirm(login.sessionId),
        phone.decline(login.sessionId),
        shop.cancel(login),
      ]);
      const ends = (await eventsOf(login.sessionId)).slice(2);
      expect(ends).toHaveLength(1);
      expect(confirmed.status === 200).toBe(ends[0] === 'SessionConfirmed');
      expect(declined.status === 200 || withdrawn.status === 204).toBe(ends[0] === 'SessionCancelled');
    }
  });

  it('a new secret and 200 polls with the old one: no poll that began after the answer succeeds', async () => {
    const client = await RelyingParty.register(service);
    const login = await client.login();
    const old = client.authorization;
    const poll = () => service.send({ method: 'GET', path: `/relying-party/v1/session/${login.sessionId}/status`, headers: { authorization: old } });
    const before = times(100, poll);
    const { clientSecret } = await staff.ask('POST', `/clients/${client.clientId}/secret`);
    secret('client secret', clientSecret as string);
    const later = await times(200, poll);
    await before;
    expect(later.map(({ status }) => status)).toEqual(later.map(() => 401));
  });

  it('two claims in one browser: at most one of the logins stays open', async () => {
    const first = new Browser(service);
    const opened = await shop.login({ hosted_page: true });
    await first.claim(opened.handoffToken);
    const logins = await times(5, () => shop.login({ hosted_page: true }));
    const tabs = logins.map(() => {
      const tab = new Browser(service);
      tab.cookie = first.cookie;
      return tab;
    });
    await Promise.all(logins.map((login, i) => tabs[i]!.claim(login.handoffToken)));
    expectError(await first.status(opened.sessionId), 409, 'session_superseded');
  });
});

(startsOwn ? describe : describe.skip)('confirm against expiry at the last moment', () => {
  /** How long before the expiry each phone confirms, in milliseconds. */
  const LEADS = [2_000, 600, 120, 60, 30, 15, 5, -10];
  /** Lifetime of a session in seconds: enough for the scans of all phones on a busy machine, and for the first confirmation. */
  const LIFETIME = 5;

  it('is never EXPIRED and then CONFIRMED', async () => {
    const short = await startOwn('last-moment', { SESSION_TTL: String(LIFETIME) }, ['session-api']);
    const client = await RelyingParty.register(short);
    const clerk = new Staff(short);
    const phones = await times(LEADS.length, () => clerk.newPhone());
    const outcomes = new Set<string>();
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        phones.map(async (one, i) => {
          const login = await client.login();
          const created = Date.now();
          expectOk(await one.scan(login.sessionId));
          const seen: string[] = [];
          let over = false;
          const polls = times(3, async () => {
            while (!over) {
              seen.push((await client.status(login)).json!['status'] as string);
              await pause(3);
            }
          });
          await pause(created + LIFETIME * 1_000 - LEADS[i]! - 3 * round - Date.now());
          const confirmation = await one.confirm(login.sessionId);
          await pause(100);
          over = true;
          await polls;
          outcomes.add(await assertOneEnd(client, clerk, login, confirmation, seen));
        }),
      );
    }
    await short.stop();
    expect([...outcomes].sort()).toEqual(['CONFIRMED', 'EXPIRED']);
  });

  const assertOneEnd = async (client: RelyingParty, clerk: Staff, login: Login, confirmation: Answer, seen: readonly string[]): Promise<string> => {
    const end = await client.statusOf(login);
    expect(confirmation.status).toBe(end === 'CONFIRMED' ? 200 : 410);
    const ends = seen.filter((status) => status === 'EXPIRED' || status === 'CONFIRMED');
    expect(new Set([...ends, end])).toEqual(new Set([end]));
    const events = (expectOk(await clerk.timeline(login.sessionId))['events'] as { type: string }[]).map(({ type }) => type);
    expect(events.slice(2)).toEqual([end === 'CONFIRMED' ? 'SessionConfirmed' : 'SessionExpired']);
    return end;
  };
});
