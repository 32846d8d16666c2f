import { createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ZipFile } from 'yazl';

import { entriesOf, pack } from '#testkit/asic/forge-container';
import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import { wrongContainers } from '#testkit/asic/wrong-containers';
import { SystemClock, SystemRandomness } from '#kernel';
import { answerTimeStamp, issueRootCrl, openDevelopmentPki } from '#signatures/pki';
import { startPeer } from '#testkit/pki/peer';

import { BundledCli, type Outcome } from './bundled-cli.js';

// Each command runs as a process of its own.
jest.setTimeout(120_000);

let bundled: BundledCli;
let directory: string;
let kit: SigningKit;
let delivered: Buffer;
let container: string;
let file: string;

const cli = (...parameters: string[]): Promise<Outcome> => bundled.run(parameters, { DATA_DIR: directory, KEY_DIR: join(directory, 'keys') });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-containers-'));
  bundled = await BundledCli.build();
  kit = await SigningKit.open(Date.now() - 60_000, join(directory, 'keys'));
  delivered = await kit.container(kit.sign(await kit.signer()));
});

afterAll(() => Promise.all([bundled.remove(), rm(directory, { recursive: true })]));

beforeEach(async () => {
  container = join(directory, 'x.asice');
  file = join(directory, 'contract.pdf');
  await writeFile(container, delivered);
  await writeFile(file, FILE);
});

describe('attach', () => {
  it('puts the file into the container, once', async () => {
    expect(await cli('attach', container, file)).toEqual({
      exitCode: 0,
      stdout: `Put ${JSON.stringify(FILE_NAME)} into ${container}.\n`,
      stderr: '',
    });
    const complete = await readFile(container);
    expect(complete.includes(FILE)).toBe(true);
    expect(await cli('attach', container, file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('already') });
    expect(await readFile(container)).toEqual(complete);
  });

  it('leaves the delivered container alone with --output', async () => {
    const output = join(directory, 'complete.asice');
    expect(JSON.parse((await cli('attach', container, file, '--output', output, '--json')).stdout)).toEqual({
      signedDataName: FILE_NAME,
      changed: true,
      container: output,
    });
    expect(await readFile(container)).toEqual(delivered);
    expect((await cli('verify', output)).exitCode).toBe(0);
  });

  it('refuses another file, and leaves the container as it was', async () => {
    await writeFile(file, 'another contract');
    expect(await cli('attach', container, file)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('not the file that was signed'),
    });
    expect(await readFile(container)).toEqual(delivered);
  });

  it('refuses bytes that are no container', async () => {
    expect(await cli('attach', file, file)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not a container as it was delivered') });
  });

  it.each([
    ['attach', 'missing.asice', 'contract.pdf'],
    ['attach', 'x.asice', 'missing.pdf'],
    ['attach', 'x.asice', '.'],
    ['verify', 'missing.asice'],
    ['verify', '.'],
  ])('asks for a file: %s %s %s', async (command, ...names) => {
    const paths = names.filter(Boolean).map((name) => join(directory, name));
    expect(await cli(command, ...paths)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('there is no such file') });
  });
});

describe('verify', () => {
  it('explains a complete container: the file, the signer, the time and the trust', async () => {
    await cli('attach', container, file);
    const { exitCode, stdout, stderr } = await cli('verify', container);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^TOTAL_PASSED: the signature is valid, and the file in the container is the one that was signed\.\n/);
    expect(stdout).toMatch(/\nWhat {3}"contract & \\"draft\\"\.pdf", SHA-512 [0-9a-f]{128}\n/);
    expect(stdout).toMatch(/\nWho {4}"Mari-Liis Männik", PNOEE-47101010033, EE\n/);
    expect(stdout).toMatch(/\nWhen {3}\S+Z by the signer's device; proven to exist at \S+Z by ".+"; certificate good at \S+Z\n/);
    expect(stdout).toMatch(/\nTrust {2}".+" vouches for the signer, under the root ".+" \(SHA-256 [0-9a-f]{64}\); level CAdES_BASELINE_LT\n$/);
  });

  it('says that the file is still missing, with an exit code of its own, and writes the validation report all the same', async () => {
    const report = join(directory, 'report.xml');
    expect(await cli('verify', container, '--report', report)).toMatchObject({
      exitCode: 5,
      stdout: expect.stringContaining('put the signed file into it'),
      stderr: 'error: the signed file is not in the container yet\n',
    });
    expect(await readFile(report, 'utf8')).toMatch(/^<\?xml .*<vr:SubIndication>urn:etsi:019102:subindication:SIGNED_DATA_NOT_FOUND</s);
  });

  it('replaces no file by the report', async () => {
    expect(await cli('verify', container, '--report', container)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: ${container}: is there already; give the report another name\n`,
    });
    expect(await readFile(container)).toEqual(delivered);
  });

  it('gives a script the whole report', async () => {
    const report = JSON.parse((await cli('verify', container, '--json')).stdout) as object;
    expect(report).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      findings: [],
      signedDataName: FILE_NAME,
      level: 'LT',
    });
  });

  it('trusts only the roots that are given to it', async () => {
    await SigningKit.open(Date.now() - 60_000, join(directory, 'stranger'));
    const stranger = join(directory, 'stranger/pki/root.pem');
    expect(await cli('verify', container, '--trust', stranger)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('INDETERMINATE, NO_POE: do not rely on this container'),
    });
    const der = join(directory, 'root.cer');
    await writeFile(der, kit.trust.anchors[0]!.der);
    for (const roots of [[stranger, der], [join(directory, 'keys/pki/root.pem')]])
      expect((await cli('verify', container, '--trust', ...roots)).exitCode).toBe(5);
  });

  it('asks for a root certificate in place of guessing one', async () => {
    const keys = join(directory, 'keys/pki/root.pem');
    const aside = join(directory, 'root-aside.pem');
    await copyFile(keys, aside);
    await rm(keys);
    expect(await cli('verify', container)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--trust root.pem') });
    await copyFile(aside, keys);
    expect(await cli('verify', container, '--trust', file)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('holds no certificate') });
  });

  it('says that a form is not its own to judge, with an exit code of its own, and passes a foreign form that it knows', async () => {
    await cli('attach', container, file);
    const entries = await entriesOf(await readFile(container));
    const rename = (name: string): string => (name === 'META-INF/ASiCManifest001.xml' ? 'META-INF/ASiCManifest.xml' : name);
    await writeFile(container, await pack(entries.map(({ name, content }) => ({ name: rename(name), content }))));
    expect(await cli('verify', container)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^TOTAL_PASSED/) });
    const xades = entries.filter(({ name }) => !name.startsWith('META-INF/'));
    await writeFile(container, await pack([...xades, { name: 'META-INF/signatures0.xml', content: Buffer.from('<a/>') }]));
    expect(await cli('verify', container)).toMatchObject({
      exitCode: 6,
      stdout: expect.stringMatching(/^INDETERMINATE, SIG_CONSTRAINTS_FAILURE: this is not a form that can be judged here\..*\n {2}- .*XAdES/),
    });
  });

  it('names the rule that a tampered container breaks', async () => {
    const wrong = await wrongContainers(kit);
    for (const { title, container: bytes } of wrong.filter((_, at) => at % 6 === 0)) {
      await writeFile(container, bytes);
      const { exitCode, stdout } = await cli('verify', container);
      expect([title, exitCode]).toEqual([title, 1]);
      expect(stdout).toMatch(/^(TOTAL_FAILED|INDETERMINATE), [A-Z_]+: do not rely on this container\.\n {2}- \S/);
    }
  });
});

describe('renew-archive', () => {
  /** A time-stamping authority over HTTP, with a list of revoked certificates, and its root. */
  const startAuthority = async () => {
    const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
    const peer = await startPeer((body, { url }) =>
      url === '/tsa'
        ? { type: 'application/timestamp-reply', body: answerTimeStamp(body, { unit: pki.timestamping, now: clock.now(), randomness }) }
        : { type: 'application/pkix-crl', body: issueRootCrl(pki.root, clock.now()) },
    );
    const keyDirectory = await mkdtemp(join(directory, 'authority-'));
    const pki = await openDevelopmentPki({ keyDirectory, baseUrl: peer.url.slice(0, -1), guarded: false, clock, randomness });
    return { peer, root: join(keyDirectory, 'pki/root.pem'), environment: { TSA_URLS: `${peer.url}tsa` } };
  };

  it('adds archive time-stamps, and nothing while the last one holds', async () => {
    const { peer, root, environment } = await startAuthority();
    await using _ = peer;
    const trust = ['--trust', join(directory, 'keys/pki/root.pem'), root];
    const renew = (...more: string[]) =>
      bundled.run(['renew-archive', container, ...trust, ...more], { DATA_DIR: directory, ...environment, TSA_ISSUERS: root });
    expect(await renew()).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/x\.asice: renewed, holds until \d{4}-/) });
    expect((await cli('verify', container, '--level', 'LTA', ...trust)).exitCode).toBe(5);
    const once = await readFile(container);
    expect((await renew()).stdout).toMatch(/x\.asice: holds until /);
    expect(await readFile(container)).toEqual(once);
    expect(JSON.parse((await renew('--within', '9999', '--json')).stdout)).toMatchObject({ container, changed: true });
    await cli('attach', container, file);
    expect(await cli('verify', container, '--level', 'LTA', ...trust)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/\nKept {3}archive time-stamp of .*\n {7}archive time-stamp of .*, which holds until /),
    });
  });

  it('gives the reason of a failure: a container that is not valid, an authority that does not answer', async () => {
    const lost = { TSA_URLS: 'http://127.0.0.1:9/tsa' };
    const renew = () => bundled.run(['renew-archive', container], { DATA_DIR: directory, KEY_DIR: join(directory, 'keys'), ...lost });
    expect(await renew()).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('no usable answer from the trust service') });
    expect(await readFile(container)).toEqual(delivered);
    await writeFile(container, (await wrongContainers(kit))[0]!.container);
    expect(await renew()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the container is not valid') });
  });
});

describe('a hostile file', () => {
  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('PK\u0003\u0004 but no more')],
    ['half a container', () => delivered.subarray(0, delivered.length / 2)],
    ['a container with its end cut off', () => delivered.subarray(0, -1)],
  ])('%s is refused in words by verify and by attach', async (_, bytes) => {
    await writeFile(container, bytes());
    for (const command of [
      ['verify', container],
      ['attach', container, file],
    ]) {
      const { exitCode, stdout, stderr } = await cli(...command);
      expect(exitCode).toBe(1);
      expect(stdout + stderr).not.toMatch(/\n {4}at /);
    }
  });

  it('a bomb is not inflated', async () => {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('application/vnd.etsi.asic-e+zip'), 'mimetype', { compress: false });
    const zeros = Buffer.alloc(1 << 20);
    zip.addReadStream(
      Readable.from(
        (function* () {
          for (let part = 0; part < 300; part++) yield zeros;
        })(),
      ),
      'META-INF/ASiCManifest001.xml',
    );
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(container));
    const began = Date.now();
    expect((await cli('verify', container)).exitCode).toBe(1);
    expect((await cli('attach', container, file)).exitCode).toBe(1);
    expect(Date.now() - began).toBeLessThan(20_000);
  });
});
