import { beforeAll, describe, expect, it } from '@jest/globals';

import { Browser, expectOk, type Phone, pause, RelyingParty, type Service, sharedService, Staff } from '../support/index.js';

let service: Service;
let shop: RelyingParty;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service);
});

const subject = async (): Promise<{ phone: Phone; push: Record<string, unknown> }> => {
  const phone = await new Staff(service).newPhone();
  return { phone, push: { push: true, subject_id: await shop.subjectOf(phone) } };
};

describe('the push inbox', () => {
  it('is empty without a push', async () => {
    const { phone, push } = await subject();
    await shop.login({ subject_id: push['subject_id'] });
    expect(expectOk(await phone.pending())).toEqual({ sessions: [] });
  });

  it('holds {sessionId, expiresAt} of a pushed session when POST session has answered', async () => {
    const { phone, push } = await subject();
    const { sessionId, expiresAt } = await shop.login(push);
    expect(expectOk(await phone.pending())).toEqual({ sessions: [{ sessionId, expiresAt }] });
  });

  it('tells no name and no title', async () => {
    const { phone, push } = await subject();
    await shop.login({ ...push, title: 'A title that stays inside' });
    const { text } = await phone.pending();
    expect(text).not.toContain(shop.name);
    expect(text).not.toContain('A title that stays inside');
  });

  it('names the relying party to a phone that asks with Prefer: return=representation, and never the title', async () => {
    const { phone, push } = await subject();
    const { sessionId, expiresAt } = await shop.login({ ...push, title: 'A title that stays inside' });
    const answer = await phone.pending({ prefer: 'wait=1, return=representation' });
    expect(expectOk(answer)).toEqual({ sessions: [{ sessionId, expiresAt, relyingPartyName: shop.name, signatureType: 'AUTHENTICATION' }] });
    expect(answer.headers['preference-applied']).toBe('wait=1, return=representation');
  });

  it('names no relying party to a locked phone', async () => {
    const { phone, push } = await subject();
    const { sessionId } = await shop.login(push);
    const pushed = await shop.login(push);
    expectOk(await phone.scan(sessionId));
    for (let tries = 0; tries < 3; tries++) await phone.confirm(sessionId, { pin: '9753' });
    const answer = await phone.pending({ prefer: 'return=representation' });
    expect(expectOk(answer)).toEqual({ sessions: [{ sessionId: pushed.sessionId, expiresAt: pushed.expiresAt }] });
    expect(answer.headers['preference-applied']).toBeUndefined();
  });

  it('leads to a login without a QR code', async () => {
    const { phone, push } = await subject();
    const login = await shop.login(push);
    const [sessionId] = await phone.pendingIds();
    expectOk(await phone.scan(sessionId!));
    expectOk(await phone.confirm(sessionId!));
    expectOk(await shop.token(await shop.redeemableCode(login), login.verifier));
  });

  it('no longer lists a session that has ended', async () => {
    const { phone, push } = await subject();
    const cancelled = await shop.login(push);
    const scanned = await shop.login(push);
    await shop.cancel(cancelled);
    await phone.scan(scanned.sessionId);
    await phone.decline(scanned.sessionId);
    await pause(service.staleness);
    expect(await phone.pendingIds()).toEqual([]);
  });

  it('with hosted_page gets the session at the claim, so that a quick phone cannot spoil the handoff', async () => {
    const { phone, push } = await subject();
    const login = await shop.login({ ...push, hosted_page: true });
    expect(login.pushStatus).toBe('DISPATCHED');
    expect(await phone.pendingIds()).toEqual([]);
    expectOk(await new Browser(service).claim(login.handoffToken));
    expect(await phone.pendingIds()).toEqual([login.sessionId]);
  });

  it('waits for a session when asked to: Prefer: wait', async () => {
    const { phone, push } = await subject();
    const waiting = phone.pending({ prefer: 'wait=10' });
    await pause(100);
    const { sessionId } = await shop.login(push);
    const began = Date.now();
    const answer = await waiting;
    expect(Date.now() - began).toBeLessThan(8_000); // well before the wait ends
    expect(answer.headers['preference-applied']).toMatch(/^wait/);
    expect((expectOk(answer)['sessions'] as { sessionId: string }[]).map((session) => session.sessionId)).toEqual([sessionId]);
  });
});
