import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, secret, UNKNOWN_SESSION, word } from '../support/index.js';

const { service, staff, shop, phone } = await newCast();

interface Entry {
  readonly type: string;
  readonly sequence: number;
  readonly at: string;
  readonly reason?: string;
}

const eventsOf = async (sessionId: string): Promise<Entry[]> => expectOk(await staff.timeline(sessionId))['events'] as Entry[];
const typesOf = async (sessionId: string): Promise<string[]> => (await eventsOf(sessionId)).map(({ type }) => type);

describe('the timeline', () => {
  it("shows the session's events with times, in order, without a hole", async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    expectOk(await shop.token(await shop.redeemableCode(login), login.verifier));
    const events = await eventsOf(login.sessionId);
    expect(events.map(({ type }) => type)).toEqual([
      'SessionCreated',
      'HandoffClaimed',
      'SessionScanned',
      'SessionConfirmed',
      'SessionCompleted',
      'CodeRedeemed',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5]);
    const times = events.map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.abs(times[0]! - Date.now())).toBeLessThan(10_000);
  });

  it.each([
    ['declined', (id: string) => phone.decline(id, 'DECLINED')],
    ['left', (id: string) => phone.decline(id, 'LEFT')],
    ['withdrawn by the relying party', (id: string) => shop.cancel({ sessionId: id })],
  ])('tells why it ended: %s', async (_, end) => {
    const { sessionId } = await shop.scanned(phone);
    await end(sessionId);
    const last = (await eventsOf(sessionId)).at(-1)!;
    expect([last.type, typeof last.reason]).toEqual(['SessionCancelled', 'string']);
  });

  it('tells that wrong PINs ended it', async () => {
    const guesser = await staff.newPhone();
    const { sessionId } = await shop.scanned(guesser);
    for (let i = 0; i < 3; i++) await guesser.confirm(sessionId, { pin: guesser.wrongPin(i) });
    const last = (await eventsOf(sessionId)).at(-1)!;
    expect([last.type, last.reason]).toEqual(['SessionCancelled', 'PIN_LOCKED']);
  });

  it('shows recorded scan refusals, once per device', async () => {
    const { sessionId } = await shop.login({ subject_id: await shop.subjectOf(phone) });
    const stranger = await staff.newPhone();
    for (let i = 0; i < 3; i++) await stranger.scan(sessionId);
    expect(await typesOf(sessionId)).toEqual(['SessionCreated', 'ScanRefused']);
  });

  it('no refused command leaves an event', async () => {
    const login = await shop.completed(phone);
    await shop.complete(login);
    await shop.cancel(login);
    await shop.token(login.code, 'a'.repeat(43));
    await phone.decline(login.sessionId);
    await (await staff.newPhone()).scan(login.sessionId);
    expect(await typesOf(login.sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted']);
  });

  it('a scan, a confirmation and a decline that are repeated leave no second event', async () => {
    const login = await shop.login();
    for (let i = 0; i < 3; i++) await phone.scan(login.sessionId);
    for (let i = 0; i < 3; i++) await phone.confirm(login.sessionId);
    expect(await typesOf(login.sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed']);
  });

  it('holds no secret, no code, no text of the client', async () => {
    const title = secret('title', `Title ${word()}`);
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true, title });
    await browser.claim(login.handoffToken);
    const { cookie } = browser;
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    const code = await shop.redeemableCode(login);
    const { text } = await staff.timeline(login.sessionId);
    for (const hidden of [title, login.state, code, login.handoffToken, cookie!, login.verifier, phone.pinProof()])
      expect(text).not.toContain(hidden);
  });

  it.each([UNKNOWN_SESSION, 'x'])('session_not_found: %s', async (id) => {
    expectError(await staff.timeline(id), 404, 'session_not_found');
  });
});
