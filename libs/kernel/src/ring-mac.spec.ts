import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { macRefusal, ringMac } from './ring-mac.js';
import { Secret } from './secret.js';

const key = (id: string) => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const ring = new StaticKeyRing([key('newer'), key('older')]);
const mac = ringMac(ring, 'thing', 'one', 'two');

describe('a MAC under a ring of keys', () => {
  it('is right for its parts, under every key of the ring', () => {
    expect(macRefusal(ring, mac, 'thing', 'one', 'two')).toBeUndefined();
    expect(macRefusal(ring, ringMac(new StaticKeyRing([key('older')]), 'thing'), 'thing')).toBeUndefined();
  });

  it.each([
    ['that is missing', undefined, 'unsigned'],
    ['of other parts', ringMac(ring, 'thing', 'onet', 'wo'), 'forged'],
    [
      'of another key under the same name',
      ringMac(new StaticKeyRing([{ ...key('newer'), key: new Secret(Buffer.alloc(32, 'other')) }]), 'thing', 'one', 'two'),
      'forged',
    ],
    ['under a key that the ring lacks', ringMac(new StaticKeyRing([key('stolen')]), 'thing', 'one', 'two'), 'key'],
    ['with one byte more', Buffer.concat([Buffer.from(mac, 'base64url'), Buffer.of(0)]).toString('base64url'), 'forged'],
    ['in another spelling', `${mac}=`, 'forged'],
    ['that is empty', '', 'forged'],
  ])('is refused: one %s', (_, text, reason) => {
    expect(macRefusal(ring, text, 'thing', 'one', 'two')).toBe(reason);
  });
});
