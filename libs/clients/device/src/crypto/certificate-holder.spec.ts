import { SigningKit } from '../../../../../testkit/asic/signing-kit.js';

import { certificateHolder } from './certificate-holder.js';

describe('the holder of a phone', () => {
  it('is read from its certificate, in the letters of the name', async () => {
    const kit = await SigningKit.open();
    const { certificate } = await kit.signer();
    expect(certificateHolder(new Uint8Array(certificate))).toBe('Mari-Liis Männik');
  });

  it.each([
    ['nothing', []],
    ['no DER', [1, 2, 3]],
    ['an empty sequence', [0x30, 0]],
    ['an unfinished one', [0x30, 5, 0x30]],
  ])('is unknown for %s', (_, bytes) => {
    expect(certificateHolder(Uint8Array.from(bytes))).toBeUndefined();
  });
});
