import type { Enrolled } from '../api/phone-api.js';
import { Enrolment } from './enrolment.js';

const enrolmentAnswering = (answer: Partial<Enrolled>) =>
  new Enrolment({
    api: { enrol: () => Promise.resolve({ kind: 'OK', body: { deviceId: 'd1', name: 'Chrome', ...answer } }) },
    describe: { name: 'Chrome', platform: 'Web' },
    now: () => 0,
  });

describe('an enrolment', () => {
  it('is kept where the service signs nothing', async () => {
    expect(await enrolmentAnswering({}).enrol('CODE', '2580')).toMatchObject({ kind: 'OK', body: { deviceId: 'd1', enrolledAt: 0 } });
  });

  it.each(['', 'not base64!', 'MAA=', 'MAIwAA==', 'MIIB'])(
    'is refused with the certificate %j, which is not for the key of this phone',
    async (text) => {
      const reply = await enrolmentAnswering({ signingCertificate: text }).enrol('CODE', '2580');
      expect(reply).toMatchObject({ kind: 'REFUSED', errorCode: 'foreign_certificate' });
    },
  );
});
