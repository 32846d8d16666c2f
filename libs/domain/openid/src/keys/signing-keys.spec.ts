import { describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SigningPairs } from '#testkit/openid/signing-pairs';

import { IdTokens } from './id-tokens.js';
import { SigningKeys } from './signing-keys.js';

const DAY = 86_400_000;
const ISSUER = 'https://id.example/openid';

describe('the keys of ID tokens', () => {
  const begin = () => {
    const clock = new FixedClock();
    const pairs = new SigningPairs(clock);
    const keys = new SigningKeys(pairs, clock);
    const published = () => [...new Set(keys.published().map(({ kid }) => String(kid).replace(/-\w+$/, '')))];
    return { clock, pairs, keys, published };
  };

  it('rotate: a new pair is published before it signs, and the former one for a day after', () => {
    const { clock, pairs, keys, published } = begin();
    expect(published()).toEqual(['first']);
    pairs.rotate(clock.now() + DAY);
    expect([published(), keys.current('ES256').kid]).toEqual([['pair-1', 'first'], 'first-es256']);
    clock.advance(DAY);
    expect([published(), keys.current('ES256').kid]).toEqual([['pair-1', 'first'], 'pair-1-es256']);
    clock.advance(DAY - 1);
    expect(published()).toEqual(['pair-1', 'first']);
    clock.advance(1);
    expect(published()).toEqual(['pair-1']);
  });

  it('answer nothing, and refuse to sign, in a service without the file', () => {
    const keys = new SigningKeys(undefined, new FixedClock());
    expect(keys.published()).toEqual([]);
    expect(() => keys.current('RS256')).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
  });

  it('prove a hint as long as the ring has them, also when they are published no more', async () => {
    const { clock, pairs, keys, published } = begin();
    const tokens = new IdTokens(keys, ISSUER);
    const [subject, client] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const hint = await tokens.sign(tokens.keyFor('RS256'), { sub: subject, aud: client, iat: 0, exp: 300 });
    expect(await tokens.subjectOf(hint, client as never)).toBe(subject);
    expect(await tokens.subjectOf(hint, subject as never)).toBeUndefined();
    expect(await new IdTokens(keys, 'https://other.example/openid').subjectOf(hint, client as never)).toBeUndefined();
    clock.advance(1);
    pairs.rotate(clock.now());
    expect(await tokens.subjectOf(hint, client as never)).toBe(subject);
    clock.advance(DAY);
    expect([published(), await tokens.subjectOf(hint, client as never)]).toEqual([['pair-1'], subject]);
    pairs.remove('first');
    expect(await tokens.subjectOf(hint, client as never)).toBeUndefined();
  });
});
