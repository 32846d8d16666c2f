import { execFileSync } from 'node:child_process';
import { hash, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { OID, readSignedData, soleValue } from '#signatures/pki';
import { canRun } from '#testkit/pki/foreign-programs';

import { hasPyHanko } from '../../../../testkit/programs/pyhanko/build.ts';
import { MANIFEST_ENTRY, SIGNATURE_ENTRY } from './container-layout.js';
import { askBouncyCastle, askDss, buildJavaChecks, missingTools, type ValidatorAnswer } from '#testkit/asic/java-checks';
import { type Case, goodCases, KEY_TYPES, renewedCases } from '#testkit/asic/good-containers';
import { askPyHanko } from '#testkit/asic/py-hanko';
import { SigningKit } from '#testkit/asic/signing-kit';
import type { WrongContainer } from '#testkit/asic/wrong-container';
import { wrongContainers } from '#testkit/asic/wrong-containers';
import { validationReport } from './verify/etsi-report/validation-report.js';
import { validateContainer } from './verify/verify-container.js';
import { ZipReader } from './zip/zip-reader.js';

const HOUR = 3_600_000;

/** pyHanko judges signatures, paths and time-stamps by RFC 5652, 5280 and 3161. It does not know the rules of the archive and of ETSI's baseline. */
const FORGIVEN_BY_PYHANKO = [
  'a second file that was not signed',
  'a media type that is compressed',
  'a media type that comes last',
  'no media type',
  'a media type with a newline',
  'no signing-certificate attribute',
  'another hash announced than the signer used',
  'no signing time',
  'a signing time of the wrong type',
  'attributes signed and stored out of order',
  'version 1 with an OCSP response',
  'a signing time an hour before the time-stamp',
  "a time-stamp whose unit's certificate is not marked critical",
  "a time-stamp whose unit's certificate is for other things too",
  'an OCSP response older than the time-stamp',
  'an archive manifest without the document',
];

const describeHere = canRun(missingTools()) ? describe : describe.skip;

describeHere('independent validators', () => {
  let directory: string;
  let kit: SigningKit;
  let root: string;
  let good: readonly Case[];
  let wrong: readonly WrongContainer[];
  let dss: ReadonlyMap<string, ValidatorAnswer>;
  let bouncyCastle: ReadonlyMap<string, ValidatorAnswer>;
  let files: readonly string[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'asic-check-'));
    buildJavaChecks(directory);
    // DSS judges by the machine's clock
    kit = await SigningKit.open(Date.now() - 4 * HOUR);
    root = await save('root.pem', new X509Certificate(kit.pki.root.certificate).toString());
    good = [...(await goodCases(kit)), ...(await renewedCases(kit, directory))];
    wrong = await wrongContainers(kit);
    const cases = [...good, ...wrong.map((one): Case => ({ level: 'LT', ...one }))];
    files = await Promise.all(cases.map(({ container }, at) => save(`${at}.asice`, container)));
    const reports = await Promise.all(cases.map(async (one, at) => save(`${at}.xml`, await reportOn(one))));
    const revocation = await revocationFiles();
    const answers = await askDss(
      cases.map(({ level, hashOnly }, at) => [
        files[at] as string,
        '--trust',
        root,
        '--level',
        level,
        '--report',
        reports[at] as string,
        ...(hashOnly ? ['--hash-only'] : []),
        ...(level === 'B' || level === 'T' ? revocation(at) : []),
      ]),
      directory,
    );
    dss = new Map(cases.map(({ title }, at) => [title, answers[at] as ValidatorAnswer]));
    const others = await askBouncyCastle(
      cases.map(({ level }, at) => [files[at] as string, '--trust', root, '--level', level]),
      directory,
    );
    bouncyCastle = new Map(cases.map(({ title }, at) => [title, others[at] as ValidatorAnswer]));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const save = async (name: string, content: string | Buffer): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  };

  const reportOn = async ({ container, level }: Case): Promise<string> =>
    validationReport(await validateContainer(container, { trust: kit.trust, now: kit.clock.now(), level }));

  /** Levels B and T hold no revocation data: the validator gets it beside the container. */
  const revocationFiles = async (): Promise<(at: number) => readonly string[]> => {
    const files = new Map<number, readonly string[]>();
    for (const [at, { container, level }] of good.entries()) {
      if (level === 'LT' || level === 'LTA') continue;
      const { certificates } = readSignedData(await entry(container, SIGNATURE_ENTRY), 1 << 20);
      const { signer } = readSignedData(await entry(container, SIGNATURE_ENTRY), 1 << 20);
      const certificate = certificates.find(({ serial }) => serial.equals(signer.issuerAndSerial?.serial ?? Buffer.alloc(0)));
      const [issuing, rootCertificate] = ['issuing', 'root'].map((name) => kit.pki[name as 'issuing' | 'root'].certificate);
      const issuer = certificates.find(({ der }) => der.equals(issuing as Buffer));
      const anchor = certificates.find(({ der }) => der.equals(rootCertificate as Buffer));
      if (!certificate || !issuer || !anchor) throw new Error('a certificate is missing');
      const ocsp = await kit.revocationSource.ask(certificate, issuer);
      const crl = await kit.revocationSource.current(issuer, anchor);
      files.set(at, ['--ocsp', await save(`${at}.ocsp`, ocsp.der), '--crl', await save(`${at}.crl`, crl.der)]);
    }
    return (at) => files.get(at) ?? [];
  };

  it('accept every level and key type, with the file inside, and LT as delivered', () => {
    const refused = good.flatMap(({ title, renewed = false }) =>
      (renewed ? [dss] : [dss, bouncyCastle]).map((answers) => answers.get(title)).filter((answer) => !answer?.accepted),
    );
    expect(refused.map((answer) => answer?.output)).toEqual([]);
  });

  it('give EU DSS’s own verdict TOTAL_PASSED without a warning', () => {
    for (const { title, hashOnly } of good) {
      expect(dss.get(title)?.output).toMatch(/^indication {2}TOTAL_PASSED$/m);
      if (!hashOnly) expect(dss.get(title)?.output).not.toMatch(/^warning/m);
    }
  });

  it('read our validation report of each container, with the verdict in it (EU DSS, by the schema of ETSI TS 119 102-2)', () => {
    const lines = [...dss.entries()].map(([title, { output }]) => `${title}: ${/^report {6}(.*)$/m.exec(output)?.[1] ?? output}`);
    const verdicts = /: (TOTAL_PASSED\[\]|(TOTAL_FAILED|INDETERMINATE)\[[A-Z_]+\]) \{.*\}$/;
    expect(lines.filter((line) => !verdicts.test(line))).toEqual([]);
    expect(dss.get('P-256 LT')?.output).toMatch(
      /^report {6}TOTAL_PASSED\[\] \{CERTIFICATE=4, CRL=1, OCSP_RESPONSE=1, SIGNED_DATA=2, TIMESTAMP=1\}$/m,
    );
    expect(dss.get('P-256 LT as delivered')?.output).toMatch(/^report {6}INDETERMINATE\[SIGNED_DATA_NOT_FOUND\] /m);
    for (const { title } of wrong) expect(dss.get(title)?.output).not.toMatch(/^report {6}TOTAL_PASSED/m);
  });

  it('refuse each wrong container as the table says, and at least one of them refuses it', () => {
    const verdict = (answer: ValidatorAnswer | undefined): string => (answer?.accepted ? 'accepts' : 'refuses');
    const answers = wrong.map(({ title }) => ({ title, dss: verdict(dss.get(title)), bouncyCastle: verdict(bouncyCastle.get(title)) }));
    expect(answers).toEqual(wrong.map(({ title, dss: one, bouncyCastle: two }) => ({ title, dss: one, bouncyCastle: two })));
    expect(answers.filter((row) => row.dss === 'accepts' && row.bouncyCastle === 'accepts')).toEqual([]);
  });

  const byPyHanko = canRun(hasPyHanko() ? [] : ['pyHanko (node testkit/programs/pyhanko/fetch.ts installs it)']) ? it : it.skip;
  byPyHanko('pyHanko accepts every level and key type, one and many documents, and lets pass only these wrong ones', async () => {
    const all = [...good, ...wrong].map((one, at) => ({ level: 'LT', hashOnly: false, ...one, path: files[at] as string }));
    const asked = all.filter(({ hashOnly }) => !hashOnly);
    const answers = await askPyHanko(await save('root.der', kit.pki.root.certificate), asked, directory);
    const answered = asked.map(({ title }, at) => ({ title, answer: answers[at] as string }));
    const isGood = new Set(good.map(({ title }) => title));
    expect(answered.filter(({ title, answer }) => isGood.has(title) && answer !== 'PASSED')).toEqual([]);
    const forgiven = answered.filter(({ title, answer }) => !isGood.has(title) && answer === 'PASSED').map(({ title }) => title);
    expect(forgiven).toEqual(FORGIVEN_BY_PYHANKO);
  });

  it.each(KEY_TYPES)('OpenSSL verifies signature and time-stamp of a %s key', async (type) => {
    const container = await kit.container(kit.sign(await kit.signer(type)));
    const p7s = await entry(container, SIGNATURE_ENTRY);
    const signature = await save('signature.p7s', p7s);
    const manifest = await save('manifest.xml', await entry(container, MANIFEST_ENTRY));
    openssl(
      'cms',
      '-verify',
      '-cades',
      '-binary',
      '-inform',
      'DER',
      '-in',
      signature,
      '-content',
      manifest,
      '-CAfile',
      root,
      '-purpose',
      'any',
      '-out',
      '/dev/null',
    );

    const { signer } = readSignedData(p7s, p7s.length);
    const token = await save('token.tst', soleValue(signer.unsigned, OID.signatureTimeStamp)?.bytes ?? Buffer.alloc(0));
    const value = await save('signature.bin', signer.signature);
    expect(openssl('ts', '-verify', '-token_in', '-in', token, '-data', value, '-CAfile', root)).toContain('OK');
    await writeFile(value, hash('sha256', signer.signature, 'buffer'));
    expect(() => openssl('ts', '-verify', '-token_in', '-in', token, '-data', value, '-CAfile', root)).toThrow();
  });

  const openssl = (...args: readonly string[]): string => execFileSync('openssl', args, { stdio: 'pipe' }).toString();
});

const entry = async (container: Buffer, name: string): Promise<Buffer> => {
  await using zip = await ZipReader.open(container);
  const found = zip.find(name);
  if (!found) throw new Error(`${name} is missing`);
  return zip.read(found, 1 << 20);
};
