import { type RingKey, StaticKeyRing } from './key-ring.js';
import { SystemRandomness } from './randomness.js';
import { Sealer } from './sealer.js';
import { Secret } from './secret.js';

const randomness = new SystemRandomness();
const key = (id: string): RingKey => ({ id, key: new Secret(randomness.bytes(32)) });
const [first, second] = [key('first'), key('second')];
const sealer = new Sealer(new StaticKeyRing([first]), randomness);

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
    expect(Buffer.from(sealed.split('.')[1]!, 'base64url').includes('Öst')).toBe(false);
    expect(sealer.seal(person, 'identity-1')).not.toBe(sealed);
  });

  it('does not open a value in another context', () => {
    expect(() => sealer.open(sealer.seal(person, 'identity-1'), 'identity-2')).toThrow(ALTERED);
  });

  it('does not open a value that was altered in any byte', () => {
    const sealed = sealer.seal('yes', 'a');
    const [id, text] = sealed.split('.') as [string, string];
    const bytes = Buffer.from(text, 'base64url');
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered[index]! ^= 1;
      expect(() => sealer.open(`${id}.${altered.toString('base64url')}`, 'a')).toThrow(ALTERED);
    }
  });

  it('does not open a value that was cut short at any length', () => {
    const sealed = sealer.seal('yes', 'a');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => sealer.open(sealed.slice(0, length), 'a')).toThrow(new RegExp(`${ALTERED}|not a sealed value`));
    }
  });

  it.each(['', '.', 'first', 'first.', 'first.????', 'first.AAAA'])('refuses garbage: %j', (garbage) => {
    expect(() => sealer.open(garbage, 'a')).toThrow('not a sealed value');
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
});
