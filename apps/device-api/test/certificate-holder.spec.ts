import { SigningKit } from '#asic/testing';

interface HolderCrypto {
  certificateHolder(certificate: Uint8Array): string | undefined;
}

// Compiled with a browser's types, like the rest of the phone.
const { certificateHolder } = (await import(`../phone/src/crypto/${'certificate-holder'}.js`)) as HolderCrypto;

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
