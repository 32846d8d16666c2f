import { readEntry } from './address.js';
import { RETURN_MARK } from './qr-picture.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
const entry = (rest: string) => readEntry(new URL(`https://login.example/login/${rest}`));

describe('the address of the hosted page', () => {
  it('carries the handoff token', () => {
    expect(entry('?t=ab%2Bc')).toEqual({ handoffToken: 'ab+c' });
  });

  it('carries the session when the app returns', () => {
    expect(entry(`#${SESSION}`)).toEqual({ returned: true, sessionId: SESSION });
  });

  it('carries the return token after a login by link', () => {
    expect(entry(`#${SESSION.toUpperCase()}.A-b_9`)).toEqual({ returned: true, sessionId: SESSION, returnToken: 'A-b_9' });
  });

  it('says that the app has returned', () => {
    expect(entry(RETURN_MARK)).toEqual({ returned: true });
  });

  it('prefers the token to the session', () => {
    expect(entry(`?t=x#${SESSION}`)).toEqual({ handoffToken: 'x' });
  });

  it.each(['', '?t=', '#', '#javascript:alert(1)', '#../..', `#${SESSION}.`, `#${SESSION}.a.b`, `#${SESSION}.a%20b`])(
    'carries nothing with "%s"',
    (rest) => {
      expect(entry(rest)).toEqual({});
    },
  );
});
