import { Pkcs10CertificateRequest, X509CertificateGenerator } from '@peculiar/x509';

import type { Reply } from '../../../../web-page/calls/src/index.js';
import type { SigningCertificate } from '../api/device-answers.js';
import { toBase64 } from '../crypto/bytes.js';
import { certificationRequest } from '../crypto/certification-request.js';
import { makeDeviceKeys } from '../crypto/web-crypto-keys.js';
import type { Prover } from '../crypto/device-proof.js';
import { CertificateRenewal } from './certificate-renewal.js';
import type { DeviceRecord, DeviceStore } from './device-record.js';
import type { DeviceKeys } from './keys.js';

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;
const END = Date.UTC(2028, 0, 1);
const UNREACHABLE = { kind: 'UNREACHABLE' } as const;
const ok = <Body>(body: Body): Reply<Body> => ({ kind: 'OK', body });

const memoryStore = (kept?: DeviceRecord): DeviceStore & { kept: () => DeviceRecord | undefined } => ({
  load: () => Promise.resolve(kept),
  save: (saved) => Promise.resolve(void (kept = saved)),
  clear: () => Promise.resolve(void (kept = undefined)),
  kept: () => kept,
});
const ADA = 'G=Ada, SN=Byron';

interface Term {
  readonly subject?: string;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** A certificate for the key of the request. */
const certify = async (request: string, { subject = ADA, notBefore = END - 730 * DAY, notAfter = END }: Term = {}): Promise<string> => {
  const { privateKey } = await crypto.subtle.generateKey(P256, false, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: 'CN=CA',
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    publicKey: new Pkcs10CertificateRequest(request).publicKey,
    signingKey: privateKey,
    signingAlgorithm: P256,
  });
  return certificate.toString('base64');
};

const requestOf = async (keys: DeviceKeys): Promise<string> => toBase64(await certificationRequest(keys.signing, 'Chrome'));

/** A phone whose certificate ends at {@link END}, and a service that answers its requests. */
const phoneAt = async (now: number, answer: (request: string) => Promise<Reply<SigningCertificate>>, term?: Term) => {
  const keys = await makeDeviceKeys();
  const signingCertificate = await certify(await requestOf(keys), term);
  const device: DeviceRecord = { deviceId: 'd1', name: 'Chrome', keys, signingCertificate, certificateChain: ['old'], enrolledAt: 0 };
  const phone: { device: DeviceRecord | undefined; prover: Prover } = {
    device,
    prover: { deviceId: 'd1', key: keys.authentication },
  };
  const store = memoryStore(device);
  const requests: string[] = [];
  const clock = { now };
  const renewal = new CertificateRenewal({
    phone,
    api: {
      renewCertificate: async (_, request) => {
        requests.push(request);
        return answer(request);
      },
    },
    store,
    now: () => clock.now,
  });
  return { renewal, phone, store, requests, clock, before: signingCertificate };
};

const renewed = async (request: string, term: Term = { notAfter: END + 700 * DAY }): Promise<Reply<SigningCertificate>> =>
  ok({ signingCertificate: await certify(request, term), certificateChain: ['new'] });

describe('the renewal of the signing certificate', () => {
  it('is asked for in the last 30 days, and the phone keeps the answer', async () => {
    const { renewal, phone, store, before } = await phoneAt(END - 30 * DAY, renewed);
    await renewal.renew();
    expect(phone.device?.signingCertificate).not.toBe(before);
    expect(phone.device).toMatchObject({ deviceId: 'd1', name: 'Chrome', certificateChain: ['new'] });
    expect(store.kept()).toBe(phone.device);
  });

  it('is not asked for earlier, and of a certificate that lives for 9 days in the last 3', async () => {
    const early = await phoneAt(END - 30 * DAY - 1000, renewed);
    await early.renewal.renew();
    const short = { notBefore: END - 9 * DAY };
    const earlyOfShort = await phoneAt(END - 3 * DAY - 1000, renewed, short);
    await earlyOfShort.renewal.renew();
    expect([early.requests, earlyOfShort.requests]).toEqual([[], []]);
    const dueOfShort = await phoneAt(END - 3 * DAY, renewed, short);
    await dueOfShort.renewal.renew();
    expect(dueOfShort.requests).toHaveLength(1);
  });

  it('reads the end of a certificate also from 2050 on, when it is written with four digits of the year', async () => {
    const notAfter = Date.UTC(2060, 0, 1);
    const [early, due] = await Promise.all([31, 29].map((days) => phoneAt(notAfter - days * DAY, renewed, { notAfter })));
    await Promise.all([early?.renewal.renew(), due?.renewal.renew()]);
    expect([early?.requests.length, due?.requests.length]).toEqual([0, 1]);
  });

  it('is asked for once, however often the phone wants it meanwhile, and after a minute again where there was no answer', async () => {
    const { renewal, phone, requests, clock, before } = await phoneAt(END - DAY, () => Promise.resolve(UNREACHABLE));
    await Promise.all([renewal.renew(), renewal.renew()]);
    await renewal.renew();
    expect(requests).toHaveLength(1);
    clock.now += 60_000;
    await renewal.renew();
    expect(requests).toHaveLength(2);
    expect(phone.device?.signingCertificate).toBe(before);
  });

  it.each<[string, (request: string) => Promise<Reply<SigningCertificate>>]>([
    ['for another person', (request) => renewed(request, { subject: 'G=Eve, SN=Byron' })],
    ['for another key', async () => renewed(await requestOf(await makeDeviceKeys()))],
    ['that is none', async () => ok({ signingCertificate: 'MAA=', certificateChain: [] })],
    ['that is refused', async () => ({ kind: 'REFUSED', status: 400, errorCode: 'invalid_request', payload: { remedy: 'ENROL_AGAIN' } })],
  ])('leaves the present certificate where the answer is one %s', async (_, answer) => {
    const { renewal, phone, store, before } = await phoneAt(END - DAY, answer);
    await renewal.renew();
    expect([phone.device?.signingCertificate, store.kept()?.signingCertificate]).toEqual([before, before]);
  });

  it('does not restore a device that was forgotten meanwhile', async () => {
    const forgetting: { forget?: () => Promise<void> } = {};
    const { renewal, phone, store } = await phoneAt(END - DAY, async (request) => {
      await forgetting.forget?.();
      return renewed(request);
    });
    forgetting.forget = () => {
      phone.device = undefined;
      return store.clear();
    };
    await renewal.renew();
    expect([phone.device, store.kept()]).toEqual([undefined, undefined]);
  });

  it('counts for this visit when the browser does not store it', async () => {
    const { renewal, phone, store, before } = await phoneAt(END - DAY, renewed);
    store.save = () => Promise.reject(new Error('no space'));
    await renewal.renew();
    expect(phone.device?.signingCertificate).not.toBe(before);
  });

  it.each(['', 'not base64!', 'MAA='])('is not asked for with the certificate %j', async (signingCertificate) => {
    const { renewal, phone, requests } = await phoneAt(END, renewed);
    if (phone.device) phone.device = { ...phone.device, signingCertificate };
    await renewal.renew();
    expect(requests).toEqual([]);
  });
});
