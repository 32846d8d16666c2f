import { Secret, type SessionId } from '#kernel';

import { VerificationCodes } from './verification-codes.js';

const codes = new VerificationCodes(new Secret(Buffer.alloc(32, 1)));
const sessions = Array.from({ length: 600 }, (_, index) => `0f8fad5b-d9cb-469f-a165-${String(index).padStart(12, '0')}` as SessionId);

describe('the verification code of a session', () => {
  it('is two digits, and one of three different choices', () => {
    for (const session of sessions) {
      const choices = codes.choices(session);
      expect(choices.every((choice) => /^\d\d$/.test(choice))).toBe(true);
      expect(new Set(choices).size).toBe(3);
      expect(choices.filter((choice) => codes.isShown(session, choice))).toEqual([codes.shown(session)]);
    }
  });

  it('stays the same for the session, and is another one under another key', () => {
    const others = new VerificationCodes(new Secret(Buffer.alloc(32, 2)));
    expect(sessions.map((session) => codes.shown(session))).toEqual(sessions.map((session) => codes.shown(session)));
    expect(sessions.filter((session) => codes.shown(session) === others.shown(session)).length).toBeLessThan(30);
  });

  it('is the same in every release, since the page and the phone may meet different ones', () => {
    const session = '00000000-0000-4000-8000-000000000001' as SessionId;
    expect([codes.shown(session), codes.choices(session)]).toEqual(['56', ['05', '38', '56']]);
  });

  it('cannot be told from the order of the choices', () => {
    const places = [0, 0, 0];
    for (const session of sessions) places[codes.choices(session).indexOf(codes.shown(session))]! += 1;
    for (const place of places) expect(place).toBeGreaterThan(140);
  });

  it.each(['', '1', '001', ' 1', '٣٤', '__proto__'])('is not %j', (choice) => {
    expect(sessions.some((session) => codes.isShown(session, choice))).toBe(false);
  });
});
