import type { SessionRequest } from '#clients/device';
import { EMPTY_MEMORY, type PhoneMemory, remembered, withPinAttempts } from './phone-memory.js';

const request = (sessionId: string): SessionRequest => ({
  sessionId,
  signatureType: 'AUTHENTICATION',
  relyingPartyName: `Party ${sessionId}`,
  expiresAt: 120,
  toBeSigned: 'secret',
  signatureAlgorithm: 'ES256',
  returnUrl: 'https://rp.example/',
});

describe('the memory of a phone', () => {
  it('keeps the last ten requests, the newest first', () => {
    let memory: PhoneMemory = EMPTY_MEMORY;
    for (let count = 1; count <= 12; count++) memory = remembered(memory, request(String(count)), 'CONFIRMED', count);
    expect(memory.requests.map(({ sessionId }) => sessionId)).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']);
  });

  it('keeps the client, the request, the time and the end, and nothing else', () => {
    expect(remembered(EMPTY_MEMORY, request('1'), 'DECLINED', 7).requests).toEqual([
      { sessionId: '1', relyingPartyName: 'Party 1', signatureType: 'AUTHENTICATION', outcome: 'DECLINED', at: 7 },
    ]);
  });

  it('keeps where the person can be logged out', () => {
    const [kept] = remembered(EMPTY_MEMORY, { ...request('1'), logoutClientId: 'shop' }, 'CONFIRMED', 7).requests;
    expect(kept?.logoutClientId).toBe('shop');
  });

  it('lists a request once, with its last end', () => {
    const left = remembered(EMPTY_MEMORY, request('1'), 'LEFT', 1);
    expect(remembered(left, request('1'), 'EXPIRED', 2).requests.map(({ outcome }) => outcome)).toEqual(['EXPIRED']);
  });

  it('knows how many PIN attempts are left, until a right PIN', () => {
    const wrong = withPinAttempts(EMPTY_MEMORY, 2);
    expect(remembered(wrong, request('1'), 'DECLINED', 1).pinAttemptsLeft).toBe(2);
    expect(withPinAttempts(wrong).pinAttemptsLeft).toBeUndefined();
  });
});
