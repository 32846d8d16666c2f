import { createDecipheriv, hkdfSync } from 'node:crypto';

import { type RingKey } from './key-ring.js';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { SystemRandomness } from './randomness.js';
import { Sealer } from './sealer.js';
import { Secret } from './secret.js';

const randomness = new SystemRandomness();
const key = (id: string): RingKey => ({ id, key: new Secret(randomness.bytes(32)) });
const [first, second] = [key('first'), key('second')];
const sealer = new Sealer(new StaticKeyRing([first]), randomness);

/** `"Mari"`, sealed in the context `identitydata-1`. The key is 32 bytes 7, the nonce 12 bytes 9. */
const SEALED = 'k1.1.CQkJCQkJCQkJCQkJSe42zHPVgYRiZdnb4B34bo0IcU6_9g';

/** Node's message for a wrong tag of AES-GCM. */
const ALTERED = 'unable to authenticate data';

describe('Sealer', () => {
  const person = { name: 'Ärna Öst', codes: ['1', '2'], none: null };

  it('opens its own sealed values', () => {
    expect(sealer.open(sealer.seal(person, 'identity-1'), 'identity-1')).toEqual(person);
    for (const value of ['', 0, null, [], {}]) expect(sealer.open(sealer.seal(value, ''), '')).toEqual(value);
  });

  it('shows nothing of the value, and seals the same value differently each time', () => {
    const sealed = sealer.seal(person, 'identity-1');
    expect(sealed).toMatch(/^first\.1\.[\w-]+$/);
    expect(Buffer.from(sealed.split('.')[2]!, 'base64url').includes('Öst')).toBe(false);
    expect(sealer.seal(person, 'identity-1')).not.toBe(sealed);
  });

  it('opens the values of more contexts than it remembers keys for, and under both keys of a ring', () => {
    const [before, now] = [sealer, new Sealer(new StaticKeyRing([second, first]), randomness)];
    const sealed = Array.from({ length: 1_500 }, (_, number) => (number % 2 === 0 ? before : now).seal(number, `session-${number % 1_200}`));
    for (const [number, value] of sealed.entries()) expect(now.open(value, `session-${number % 1_200}`)).toBe(number);
    expect(() => now.open(sealed[1_199] ?? '', 'session-1198')).toThrow(ALTERED);
  });

  it('does not open a value in another context', () => {
    expect(() => sealer.open(sealer.seal(person, 'identity-1'), 'identity-2')).toThrow(ALTERED);
  });

  it('does not open a value that was altered in any byte', () => {
    const sealed = sealer.seal('yes', 'a');
    const [id, form, text] = sealed.split('.') as [string, string, string];
    const bytes = Buffer.from(text, 'base64url');
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered[index]! ^= 1;
      expect(() => sealer.open(`${id}.${form}.${altered.toString('base64url')}`, 'a')).toThrow(ALTERED);
    }
  });

  it('does not open a value that was cut short at any length', () => {
    const sealed = sealer.seal('yes', 'a');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => sealer.open(sealed.slice(0, length), 'a')).toThrow(new RegExp(`${ALTERED}|not a sealed value`));
    }
  });

  it.each(['', '.', 'first', 'first.', 'first.1', 'first.1.', 'first.1.????', 'first.1.AAAA'])('refuses garbage: %j', (garbage) => {
    expect(() => sealer.open(garbage, 'a')).toThrow('not a sealed value');
  });

  it('has at least a nonce and a tag', () => {
    const ofBytes = (length: number): string => `first.1.${Buffer.alloc(length).toString('base64url')}`;
    expect(() => sealer.open(ofBytes(27), 'a')).toThrow('not a sealed value');
    expect(() => sealer.open(ofBytes(28), 'a')).toThrow(ALTERED);
  });

  it('accepts only its own form: no padding, no white space, no other alphabet', () => {
    const sealed = sealer.seal('yes', 'a');
    for (const written of [`${sealed}=`, `${sealed} `, `${sealed}\n`, `${sealed}.x`])
      expect(() => sealer.open(written, 'a')).toThrow('not a sealed value');
  });

  it('still opens old values after a rotation, and seals under the new key', () => {
    const rotated = new Sealer(new StaticKeyRing([second, first]), randomness);
    expect(rotated.open(sealer.seal(person, 'a'), 'a')).toEqual(person);
    expect(rotated.seal(person, 'a').startsWith('second.')).toBe(true);
  });

  it('names the key that is missing', () => {
    const without = new Sealer(new StaticKeyRing([second]), randomness);
    expect(() => without.open(sealer.seal(person, 'a'), 'a')).toThrow('no key first in the data key ring');
  });

  it('does not open a value under another key of the same name', () => {
    const other = new Sealer(new StaticKeyRing([key('first')]), randomness);
    expect(() => other.open(sealer.seal(person, 'a'), 'a')).toThrow(ALTERED);
  });

  it('opens a fixed value, in every release', () => {
    const fixed = new Sealer(new StaticKeyRing([{ id: 'k1', key: new Secret(Buffer.alloc(32, 7)) }]), randomness);
    expect(fixed.open(SEALED, 'identitydata-1')).toBe('Mari');
  });

  it('derives the key by HKDF-SHA-256 from purpose and context', () => {
    const [, , text = ''] = sealer.seal('yes', 'identity-1').split('.');
    const bytes = Buffer.from(text, 'base64url');
    const open = (context: string): string => {
      const key = Buffer.from(hkdfSync('sha256', first.key.reveal(), '', Buffer.from(`countersign/sealed/1\0${context}`), 32));
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(Buffer.from('identity-1'))
        .setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    };
    expect(open('identity-1')).toBe('"yes"');
    expect(() => open('identity-2')).toThrow(ALTERED);
  });

  it('opens no value of another form', () => {
    const [id, , text] = sealer.seal('yes', 'a').split('.') as [string, string, string];
    for (const written of [`${id}.${text}`, `${id}.2.${text}`, `${id}..${text}`, `${id}.01.${text}`, `${id}.1.1.${text}`, `.${id}.1.${text}`])
      expect(() => sealer.open(written, 'a')).toThrow('not a sealed value');
  });
});
