import { describe, expect, it } from '@jest/globals';

import { developmentKit } from '#testkit/pki/development-kit';
import { testCrl } from '#testkit/pki/test-crl';
import { BadCrl, verifyCrl } from './crl.js';

describe('a list of revoked certificates', () => {
  it('survives the change of any one byte: refused, or accepted with the same content', async () => {
    const kit = await developmentKit();
    const good = testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), revoked: [kit.signer] });
    const verified = verifyCrl(good, kit.issuing);
    let refused = 0;
    for (let at = 0; at < good.length; at += 1) {
      const wrong = Buffer.from(good);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      try {
        expect(verifyCrl(wrong, kit.issuing)).toMatchObject({ ...verified, crl: wrong });
      } catch (error) {
        expect(error).toBeInstanceOf(BadCrl);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(good.length - 10);
  });
});
