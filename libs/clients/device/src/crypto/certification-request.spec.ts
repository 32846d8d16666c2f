import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { toBase64 } from './bytes.js';
import { certificationRequest } from './certification-request.js';
import { makeDeviceKeys } from './web-crypto-keys.js';

describe('a certification request', () => {
  it('is a PKCS#10 for the signing key, named after the device, that another library verifies', async () => {
    const { signing, stored } = await makeDeviceKeys();
    const request = new Pkcs10CertificateRequest(await certificationRequest(signing, 'Chrome, Android õ'));
    expect(await request.verify()).toBe(true);
    expect(request.subject).toBe('CN=Chrome\\, Android õ');
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', stored.signing.publicKey));
    expect(toBase64(new Uint8Array(request.publicKey.rawData))).toBe(toBase64(spki));
  });

  it('keeps to the 64 characters of a common name', async () => {
    const { signing } = await makeDeviceKeys();
    const request = new Pkcs10CertificateRequest(await certificationRequest(signing, '📱'.repeat(70)));
    expect(await request.verify()).toBe(true);
    expect(request.subject).toBe(`CN=${'📱'.repeat(64)}`);
  });
});
