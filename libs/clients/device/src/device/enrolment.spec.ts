import { Pkcs10CertificateRequest, X509CertificateGenerator } from '@peculiar/x509';

import type { Enrolled } from '../api/device-answers.js';
import { makeDeviceKeys } from '../crypto/web-crypto-keys.js';
import { Enrolment } from './enrolment.js';

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate for the key of the request. */
const certify = async (request: string, subject: string): Promise<string> => {
  const { privateKey } = await crypto.subtle.generateKey(P256, false, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: 'CN=CA',
    publicKey: new Pkcs10CertificateRequest(request).publicKey,
    signingKey: privateKey,
    signingAlgorithm: P256,
  });
  return certificate.toString('base64');
};

const enrolmentAnswering = (answer: (request: string) => Partial<Enrolled> | Promise<Partial<Enrolled>>) =>
  new Enrolment({
    api: {
      enrol: async (_, { signing_csr }) => ({ kind: 'OK', body: { deviceId: 'd1', name: 'Chrome', ...(await answer(signing_csr)) } }),
      holder: () => Promise.resolve({ kind: 'OK', body: 'Ada Byron' }),
    },
    makeKeys: makeDeviceKeys,
    describe: { name: 'Chrome', platform: 'Web' },
    now: () => 0,
  });

const enrolWith = (answer: Parameters<typeof enrolmentAnswering>[0]) => enrolmentAnswering(answer).enrol('CODE', '2580', 'Ada Byron');

describe('an enrolment', () => {
  it('is kept where the service signs nothing', async () => {
    expect(await enrolWith(() => ({}))).toMatchObject({ kind: 'OK', body: { deviceId: 'd1', enrolledAt: 0 } });
  });

  it('is kept with a certificate for the key of this phone and the person that it has shown', async () => {
    const reply = await enrolWith(async (request) => ({ signingCertificate: await certify(request, 'G=Ada, SN=Byron') }));
    expect(reply).toMatchObject({ kind: 'OK', body: { deviceId: 'd1' } });
  });

  it.each(['G=Eve, SN=Byron', 'CN=Ada Byron'])('is refused with a certificate for another person: %s', async (subject) => {
    const reply = await enrolWith(async (request) => ({ signingCertificate: await certify(request, subject) }));
    expect(reply).toMatchObject({ kind: 'REFUSED', errorCode: 'foreign_certificate' });
  });

  it.each(['', 'not base64!', 'MAA=', 'MAIwAA==', 'MIIB'])(
    'is refused with the certificate %j, which is not for the key of this phone',
    async (text) => {
      expect(await enrolWith(() => ({ signingCertificate: text }))).toMatchObject({ kind: 'REFUSED', errorCode: 'foreign_certificate' });
    },
  );
});
