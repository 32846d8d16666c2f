import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { type DeviceId, sha256Base64url, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Certificate, DevelopmentCertificateAuthority, type DevelopmentPki, openDevelopmentPki } from '#signatures/pki';
import { inTemporaryFolder } from '#testkit/pki/temporary-folder';
import { type KeyPair, newKey, signingRequest } from '#testkit/pki/signing-requests';

import { Certificates } from '../repositories/certificates.js';
import { enrolmentRequest, pinProof } from '#testkit/identity/identity-fixture';
import { identity, identityId, typesIn, usePerson } from '#testkit/identity/registered-person';
import type { SigningCertificate } from './read-signing-certificate.js';

const DAY = 86_400_000;
let pki: DevelopmentPki;
beforeAll(async () => {
  const [clock, randomness] = [new FixedClock(), new SystemRandomness()];
  const open = (keyDirectory: string) => openDevelopmentPki({ keyDirectory, baseUrl: 'http://localhost:3000', guarded: false, clock, randomness });
  pki = await inTemporaryFolder(open);
});

usePerson();

let useCases: ReturnType<typeof identity.replica>;
let issue: jest.SpiedFunction<DevelopmentCertificateAuthority['issue']>;
let keys: KeyPair;
let deviceId: DeviceId;
let first: Certificate;

beforeEach(async () => {
  const certificateAuthority = new DevelopmentCertificateAuthority(pki, identity.clock, identity.randomness);
  issue = jest.spyOn(certificateAuthority, 'issue');
  useCases = identity.replica({ certificateAuthority });
  keys = newKey['P-256']();
  const activationCode = (await useCases.issueActivationCode.execute(identityId)).activationCode.reveal();
  const enrolled = await useCases.enrolDevice.execute({ ...enrolmentRequest(), activationCode, signingCsr: signingRequest(keys) });
  deviceId = enrolled.deviceId;
  first = parsed(enrolled.signingCertificate);
});

afterEach(() => {
  jest.restoreAllMocks();
});

const parsed = (certificate: SigningCertificate | undefined): Certificate => Certificate.parse(certificate?.certificate ?? Buffer.alloc(0));
const serialOf = (certificate: Certificate): string => certificate.serial.toString('hex');
const daysBeforeEnd = (days: number): void => identity.clock.advance(first.notAfter - days * DAY - identity.clock.now());
const renew = async (request = signingRequest(keys)): Promise<Certificate> => {
  const device = await useCases.findDevice.execute(deviceId);
  if (!device) throw new Error('the device is enrolled');
  return parsed(await useCases.renewCertificate.execute(request, device));
};
const statusOf = (certificate: Certificate) => identity.replica().findCertificateStatus.execute(serialOf(certificate));

describe('the renewal of a signing certificate', () => {
  it('issues another certificate for the same key and person in the last 30 days, and both are good', async () => {
    daysBeforeEnd(30);
    const renewed = await renew();
    expect(renewed.equals(first)).toBe(false);
    expect(renewed.spki).toEqual(first.spki);
    expect(renewed.subject).toEqual(first.subject);
    expect(renewed.notAfter).toBeGreaterThan(identity.clock.now() + 700 * DAY);
    expect(parsed(await useCases.readSigningCertificate.execute({ identityId, deviceId })).equals(renewed)).toBe(true);
    for (const certificate of [first, renewed]) expect(await statusOf(certificate)).toEqual({ status: 'good' });
    expect(await typesIn('certificate', serialOf(renewed))).toEqual(['CertificateIssued']);
  });

  it('answers the present certificate before that', async () => {
    daysBeforeEnd(31);
    expect((await renew()).equals(first)).toBe(true);
    expect(issue).toHaveBeenCalledTimes(1);
  });

  it('answers the same certificate again when its answer was lost', async () => {
    daysBeforeEnd(10);
    const renewed = await renew();
    expect((await renew()).equals(renewed)).toBe(true);
    expect(issue).toHaveBeenCalledTimes(2);
  });

  it('by twenty requests at once issues one certificate, which each of them gets', async () => {
    daysBeforeEnd(10);
    const [one, ...others] = await Promise.all(Array.from({ length: 20 }, () => renew()));
    for (const other of others) expect(other.equals(one!)).toBe(true);
    expect(issue).toHaveBeenCalledTimes(2);
    expect((await renew()).equals(one!)).toBe(true);
  });

  it('by two processes at once keeps one certificate', async () => {
    daysBeforeEnd(10);
    const device = (await useCases.findDevice.execute(deviceId))!;
    const certificateAuthority = new DevelopmentCertificateAuthority(pki, identity.clock, identity.randomness);
    const other = identity.replica({ certificateAuthority }).renewCertificate.execute(signingRequest(keys), device);
    const [one, another] = await Promise.all([renew(), other]);
    expect(parsed(another).equals(one)).toBe(true);
  });

  it('is tried again after the authority failed two requests at once', async () => {
    daysBeforeEnd(10);
    issue.mockRejectedValueOnce(new Error('authority down'));
    const failed = await Promise.allSettled([renew(), renew()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await renew()).equals(first)).toBe(false);
  });

  it('leaves the earlier certificate to signatures that were scanned with it, until its end', async () => {
    daysBeforeEnd(10);
    const renewed = await renew();
    const read = async (certificate: Certificate) =>
      parsed(await useCases.readSigningCertificate.execute({ identityId, deviceId, certificateHash: sha256Base64url(certificate.der) }));
    expect((await read(first)).equals(first)).toBe(true);
    expect((await read(renewed)).equals(renewed)).toBe(true);
    identity.clock.advance(renewed.notAfter - 10 * DAY - identity.clock.now());
    const third = await renew();
    expect((await read(renewed)).equals(renewed)).toBe(true);
    expect((await read(first)).equals(third)).toBe(true);
  });

  it('that was interrupted before OCSP knew the certificate is completed by the next request', async () => {
    daysBeforeEnd(10);
    jest.spyOn(Certificates.prototype, 'issue').mockRejectedValueOnce(new Error('crash'));
    await expect(renew()).rejects.toThrow('crash');
    const renewed = await renew();
    expect(issue).toHaveBeenCalledTimes(2);
    expect(await statusOf(renewed)).toEqual({ status: 'good' });
  });
});

describe('a renewal is refused', () => {
  it('with a request for another key', async () => {
    daysBeforeEnd(10);
    await expect(renew(signingRequest(newKey['P-256']()))).rejects.toMatchObject({
      code: 'invalid_request',
      detail: '`signing_csr` must be for the key of the present certificate.',
    });
  });

  it('with a request that its key has not signed', async () => {
    daysBeforeEnd(10);
    await expect(renew(signingRequest(keys, { signer: newKey['P-256']().privateKey }))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(issue).toHaveBeenCalledTimes(1);
  });

  it('once the certificate has ended, and the answer names the remedy', async () => {
    daysBeforeEnd(-1);
    await expect(renew()).rejects.toMatchObject({ code: 'invalid_request', reason: 'certificate ended', payload: { remedy: 'ENROL_AGAIN' } });
  });

  it('to a device without a certificate, and where the service issues none', async () => {
    daysBeforeEnd(10);
    const device = (await useCases.findDevice.execute(deviceId))!;
    const without = identity.replica({ certificateAuthority: undefined });
    await expect(without.renewCertificate.execute(signingRequest(keys), device)).rejects.toMatchObject({ reason: 'no certificate authority' });
    const activationCode = (await without.issueActivationCode.execute(identityId)).activationCode.reveal();
    const other = await without.enrolDevice.execute({ ...enrolmentRequest(), activationCode, signingCsr: undefined });
    const uncertified = (await useCases.findDevice.execute(other.deviceId))!;
    await expect(useCases.renewCertificate.execute(signingRequest(keys), uncertified)).rejects.toMatchObject({
      reason: 'device without a certificate',
    });
  });

  it('to a locked device', async () => {
    daysBeforeEnd(10);
    const wrong = pinProof('0000');
    for (let tries = 0; tries < 3; tries++) await useCases.checkPin.execute({ deviceId, sessionId: identity.randomness.uuid(), pinProof: wrong });
    await expect(renew()).rejects.toMatchObject({ code: 'device_locked' });
  });

  it('after the person was erased', async () => {
    daysBeforeEnd(10);
    const device = (await useCases.findDevice.execute(deviceId))!;
    await useCases.eraseIdentity.execute(identityId);
    await expect(useCases.renewCertificate.execute(signingRequest(keys), device)).rejects.toMatchObject({ code: 'device_not_found' });
  });
});

describe('an erasure after a renewal', () => {
  it('revokes the certificates before it and after it', async () => {
    daysBeforeEnd(10);
    const renewed = await renew();
    await useCases.eraseIdentity.execute(identityId);
    for (const certificate of [first, renewed]) {
      expect(await typesIn('certificate', serialOf(certificate))).toEqual(['CertificateRevoked']);
      expect(await statusOf(certificate)).toEqual({ status: 'revoked', at: identity.clock.now() });
    }
  });

  it('whose answer is still under way revokes what the authority issued meanwhile, or leaves it unknown', async () => {
    daysBeforeEnd(10);
    const device = (await useCases.findDevice.execute(deviceId))!;
    let late: Certificate | undefined;
    issue.mockImplementationOnce(async (request) => {
      await useCases.eraseIdentity.execute(identityId);
      const issued = await new DevelopmentCertificateAuthority(pki, identity.clock, identity.randomness).issue(request);
      late = Certificate.parse(issued.certificate);
      return issued;
    });
    await expect(useCases.renewCertificate.execute(signingRequest(keys), device)).rejects.toMatchObject({ code: 'device_not_found' });
    expect(await statusOf(late!)).toEqual({ status: 'unknown' });
  });
});
