import { type RingKey } from './key-ring.js';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { LocatingTokens } from './locating-token.js';
import { SystemRandomness } from './randomness.js';
import { Secret } from './secret.js';

const randomness = new SystemRandomness();
const key = (id: string): RingKey => ({ id, key: new Secret(randomness.bytes(32)) });
const [first, second] = [key('1'), key('second')];
const codes = new LocatingTokens(new StaticKeyRing([first]), 'code');

const session = randomness.uuid();
const event = randomness.uuid();

const accepts = (tokens: LocatingTokens, token: string, eventId: string = event): boolean => {
  const claim = tokens.parse(token);
  return claim !== undefined && claim.id === session && tokens.verify(claim, eventId);
};

describe('LocatingTokens', () => {
  const token = codes.make(session, event);

  it('name the id that they were made for, and prove the event that granted them', () => {
    expect(codes.parse(token)).toMatchObject({ id: session, keyId: '1' });
    expect(accepts(codes, token)).toBe(true);
  });

  it('are made again from the same event, with the id in either case', () => {
    expect(codes.make(session, event)).toBe(token);
    expect(codes.make(session.toUpperCase(), event)).toBe(token);
  });

  it('are URL-safe', () => {
    expect(token).toMatch(/^[\w-]+$/);
  });

  it('are refused for another event, another purpose and another key of the same name', () => {
    expect(accepts(codes, token, randomness.uuid())).toBe(false);
    expect(accepts(new LocatingTokens(new StaticKeyRing([first]), 'handoff'), token)).toBe(false);
    expect(accepts(new LocatingTokens(new StaticKeyRing([key('1')]), 'code'), token)).toBe(false);
  });

  it('are refused when any bit was altered', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(accepts(codes, altered.toString('base64url'))).toBe(false);
    }
  });

  it('are refused when any character was altered, lost or added', () => {
    for (let at = 0; at < token.length; at += 1) {
      expect(accepts(codes, token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1))).toBe(false);
      expect(accepts(codes, token.slice(0, at) + token.slice(at + 1))).toBe(false);
      expect(accepts(codes, `${token.slice(0, at)}A${token.slice(at)}`)).toBe(false);
    }
  });

  it.each(['', 'A', '=', `${token}=`, ` ${token}`, `${token}\n`, token.slice(0, -1), '🗝', '/w==', 'x'.repeat(10_000), '\u0000'])(
    'cannot be read from garbage: %j',
    (garbage) => {
      expect(codes.parse(garbage)).toBeUndefined();
    },
  );

  it('are still accepted after a rotation, and new ones are made under the new key', () => {
    const rotated = new LocatingTokens(new StaticKeyRing([second, first]), 'code');
    expect(accepts(rotated, token)).toBe(true);
    const later = rotated.make(session, event);
    expect(rotated.parse(later)?.keyId).toBe('second');
    expect(accepts(rotated, later)).toBe(true);
    expect(accepts(codes, later)).toBe(false);
  });

  it('are refused once their key has left the ring', () => {
    expect(accepts(new LocatingTokens(new StaticKeyRing([second]), 'code'), token)).toBe(false);
  });

  it('are not made for a text that is no UUID', () => {
    expect(() => codes.make('session', event)).toThrow(new TypeError('a token leads to a UUID'));
  });
});
