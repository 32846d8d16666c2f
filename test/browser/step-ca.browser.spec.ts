import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';

import { STEP_CA } from '../../testkit/programs/step-ca/build.ts';
import { StepCa } from '../../testkit/programs/step-ca/step-ca.ts';
import { runDirectory, startsProcesses } from '../support/index.js';
import { readQr, useStage, verifySigned } from './support/index.js';

/** A certificate authority in one level: the root issues the certificates of phones. PEM. */
const newAuthority = (directory: string): { readonly root: string; readonly key: string } => {
  const [root, key] = [join(directory, 'ca.pem'), join(directory, 'ca.key')];
  const extensions = ['basicConstraints=critical,CA:true', 'keyUsage=critical,keyCertSign,cRLSign'].flatMap((one) => ['-addext', one]);
  const keys = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', ...keys, '-subj', '/CN=An authority by step-ca', '-days', '9', ...extensions, '-out', root], {
    stdio: 'pipe',
  });
  return { root: readFileSync(root, 'utf8'), key: readFileSync(key, 'utf8') };
};

// CI builds it (jest.config.js). A service that runs elsewhere has its own authority.
const describeHere = startsProcesses && (existsSync(STEP_CA) || process.env['CI']) ? describe : describe.skip;

describeHere('a signature with a certificate of step-ca', () => {
  let stepCa: StepCa;
  let root: string;
  const stage = useStage({
    ownService: 'step-ca',
    settings: async () => {
      const directory = join(runDirectory(), 'step-ca.authority');
      mkdirSync(directory);
      const authority = newAuthority(directory);
      ({ root } = authority);
      stepCa = await StepCa.start({ directory, root, issuing: root, issuingKey: createPrivateKey(authority.key) });
      const [keyFile, rootFile] = [join(directory, 'provisioner.jwk'), join(directory, 'root.pem')];
      writeFileSync(keyFile, stepCa.provisionerKey, { mode: 0o600 });
      return { CA_STEP_URL: stepCa.url, CA_STEP_KEY_FILE: keyFile, CA_STEP_TLS_ROOTS: rootFile, TRUST_ANCHORS: rootFile };
    },
  });
  afterAll(() => stepCa?.[Symbol.asyncDispose]());

  it('is made on the web phone, and its container is valid', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = await stage.phone({ of: person });
    const demo = await stage.demo(await stage.visitor());
    const data = Buffer.from('The contract, in full.\n');
    await demo.at('sign-document').click();
    await demo.at('file').setInputFiles({ name: 'contract.txt', mimeType: 'text/plain', buffer: data });
    await demo.at('begin-signing').click();
    await demo.scene('PENDING');
    await phone.paste(await readQr(demo.at('qr-code')));
    const download = demo.page.waitForEvent('download');
    await phone.confirm();
    const saved = join(runDirectory(), 'step-ca.asice');
    await (await download).saveAs(saved);

    const development = await (await fetch(`${stage.addresses.service}/pki/root.cer`)).arrayBuffer();
    const report = await verifySigned(saved, new X509Certificate(root).raw, Buffer.from(development));
    expect(report).toMatchObject({
      verdict: 'TOTAL_PASSED',
      findings: [],
      level: 'LT',
      signedDataHash: createHash('sha512').update(data).digest('hex'),
      signer: { name: 'Ada Byron', issuer: 'An authority by step-ca' },
    });
  });
});
