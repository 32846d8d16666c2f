import { generateKeyPairSync } from 'node:crypto';

import { checkPushKeys } from './push-subscription.js';

const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
const right = { p256dh: point.toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') };
const altered = (at: number, by: number): string => {
  const wrong = Buffer.from(point);
  wrong[at] = (wrong[at] ?? 0) ^ by;
  return wrong.toString('base64url');
};

describe('the keys of a push subscription', () => {
  it('are a point of P-256 and 16 bytes', () => expect(() => checkPushKeys(right)).not.toThrow());

  it.each([
    ['not base64url', '*'],
    ['empty', ''],
    ['a byte short', point.subarray(0, 64).toString('base64url')],
    ['a byte long', Buffer.concat([point, Buffer.of(0)]).toString('base64url')],
    ['a compressed point', Buffer.concat([Buffer.of(2), point.subarray(1)]).toString('base64url')],
    ['not on the curve, by x', altered(1, 1)],
    ['not on the curve, by y', altered(64, 1)],
  ])('are refused when the point is %s', (_, p256dh) => {
    expect(() => checkPushKeys({ ...right, p256dh })).toThrow('`keys.p256dh` must be an uncompressed point of P-256 in base64url.');
  });

  it.each([
    ['not base64url', '*'],
    ['a byte short', Buffer.alloc(15).toString('base64url')],
    ['a byte long', Buffer.alloc(17).toString('base64url')],
  ])('are refused when the secret is %s', (_, auth) => {
    expect(() => checkPushKeys({ ...right, auth })).toThrow('`keys.auth` must be 16 bytes in base64url.');
  });
});
