import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Name } from '@peculiar/x509';

import { ServiceUnavailable, SystemClock } from '#kernel';

import { STEP_CA } from '../../../../../testkit/programs/step-ca/build.ts';
import { deployedTemplate, StepCa, type StepCaOptions } from '../../../../../testkit/programs/step-ca/step-ca.ts';
import { Certificate } from '../certificates/certificate.js';
import { certificateAuthorityContract } from '#testkit/pki/certificates/certificate-authority.contract';
import { personName } from '../certificates/certificate-profiles.js';
import { verifyCrl } from '../crl/crl.js';
import { raw } from '../der/der.js';
import { HttpRevocationSource } from '../http/http-revocation-source.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { canRun } from '#testkit/pki/foreign-programs';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';
import { readProvisionerKey } from './provisioner-key.js';
import { StepCertificateAuthority, type StepCaSettings } from './step-certificate-authority.js';

const HOLDER = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };

const describeHere = canRun(existsSync(STEP_CA) ? [] : ['step-ca (node testkit/programs/step-ca/fetch.ts builds it)']) ? describe : describe.skip;

describeHere('step-ca', () => {
  let directory: string;
  let kit: DevelopmentKit;
  let stepCa: StepCa;
  const started: StepCa[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'step-ca-'));
    // it judges by the machine's clock
    kit = await developmentKit(Date.now());
    stepCa = await start();
  });
  afterAll(async () => {
    for (const each of started) await each[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const start = async (options: Partial<StepCaOptions> = {}): Promise<StepCa> => {
    const issuingKey = kit.pki.issuing.privateKey;
    const own = await mkdtemp(join(directory, 'one-'));
    started.push(await StepCa.start({ directory: own, root: kit.root.pem, issuing: kit.issuing.pem, issuingKey, ...options }));
    return started.at(-1)!;
  };
  const connect = (to = stepCa, settings: Partial<StepCaSettings> = {}): StepCertificateAuthority =>
    new StepCertificateAuthority({
      url: to.url,
      provisioner: { name: 'countersign', ...readProvisionerKey(to.provisionerKey) },
      tlsRoots: kit.root.pem,
      trust: kit.trust,
      issuers: [],
      // it refuses tokens from before its start
      clock: new SystemClock(),
      randomness: kit.randomness,
      ...settings,
    });
  const enrol = (authority: StepCertificateAuthority) => authority.issue({ csr: signingRequest(newKey['P-256']()), holder: HOLDER });
  const revocations = () => new HttpRevocationSource({ clock: new SystemClock(), randomness: kit.randomness });

  certificateAuthorityContract(() => ({ authority: connect(), trust: kit.trust, now: Date.now() }));

  it('takes the subject as it is asked for, and certifies for two years', async () => {
    const { certificate, notAfter } = await enrol(connect());
    expect(Certificate.parse(certificate).subject).toEqual(Buffer.from(personName(HOLDER).toArrayBuffer()));
    expect(Math.round((notAfter - Date.now()) / 86_400_000)).toBe(730);
  });

  it('takes the request of a phone that wrote a name of its own into it', async () => {
    const csr = signingRequest(newKey['P-256'](), { subject: raw(Buffer.from(new Name('CN=Chrome\\, Linux').toArrayBuffer())) });
    const { certificate } = await connect().issue({ csr, holder: HOLDER });
    expect(Certificate.parse(certificate).subject).toEqual(Buffer.from(personName(HOLDER).toArrayBuffer()));
  });

  it('has a list that says that a new certificate is good', async () => {
    const certificate = Certificate.parse((await enrol(connect())).certificate);
    expect(certificate.crlUrls).toEqual([stepCa.crl]);
    expect(await revocations().ask(certificate, kit.issuing)).toMatchObject({ type: 'crl', status: 'good' });
  });

  it('revokes a certificate that is not for documents, which its list shows at once', async () => {
    const template = (await deployedTemplate()).replace('contentCommitment', 'digitalSignature');
    const wrong = await start({ template });
    await expect(enrol(connect(wrong))).rejects.toThrow(/not for signing documents \(nonRepudiation\)$/);
    const list = Buffer.from(await (await fetch(wrong.crl)).arrayBuffer());
    expect(verifyCrl(list, kit.issuing).revoked.size).toBe(1);
  });

  it.each<[string, RegExp, () => Partial<StepCaSettings>]>([
    [
      'another key',
      /HTTP status 401: The request lacked necessary authorization/,
      () => ({ provisioner: { name: 'countersign', keyId: 'countersign-1', key: newKey['P-256']().privateKey } }),
    ],
    ['another name', /HTTP status 401/, () => ({ provisioner: { name: 'other', ...readProvisionerKey(stepCa.provisionerKey) } })],
    ['a server of other roots', /UNABLE_TO_|SELF_SIGNED/, () => ({ tlsRoots: undefined })],
  ])('refuses %s', async (_, message, settings) => {
    const failed = enrol(connect(stepCa, settings()));
    await expect(failed).rejects.toThrow(ServiceUnavailable);
    await expect(failed).rejects.toThrow(message);
  });
});
