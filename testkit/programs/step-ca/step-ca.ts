import { type ChildProcess, spawn } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { reservePorts } from '../../processes/reserve-port.ts';
import { STEP_CA } from './build.ts';

const TEMPLATE = resolve(import.meta.dirname, '../../../deploy/step-ca/phone.tpl');
const YEARS = '17520h';

export interface StepCaOptions {
  /** Empty; holds its configuration and its database. */
  readonly directory: string;
  /** PEM. */
  readonly root: string;
  readonly issuing: string;
  readonly issuingKey: KeyObject;
  /** The template of certificates, in place of that in deploy/step-ca. */
  readonly template?: string;
}

/** A step-ca as a process of this machine, with a provisioner that an operator would set up by deploy/step-ca. */
export class StepCa implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** The address of its list of revoked certificates. */
    readonly crl: string,
    /** The key of the provisioner `countersign`, as a JWK. */
    readonly provisionerKey: string,
  ) {}

  /** Resolves when it answers. Throws with its output when it ends before. */
  static async start({ directory, root, issuing, issuingKey, template }: StepCaOptions): Promise<StepCa> {
    const [port, plainPort] = (await reservePorts(2)) as [number, number];
    const file = (name: string): string => join(directory, name);
    const save = (name: string, content: string): Promise<void> => writeFile(file(name), content);
    await save('root.pem', root);
    await save('issuing.pem', issuing);
    await save('issuing.key', issuingKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    if (template === undefined) await copyFile(TEMPLATE, file('phone.tpl'));
    else await save('phone.tpl', template);
    const provisioner = newProvisioner();
    const crl = `http://127.0.0.1:${plainPort}/1.0/crl`;
    const config = {
      root: file('root.pem'),
      crt: file('issuing.pem'),
      key: file('issuing.key'),
      address: `127.0.0.1:${port}`,
      insecureAddress: `127.0.0.1:${plainPort}`,
      dnsNames: ['127.0.0.1'],
      db: { type: 'bbolt', dataSource: file('db') },
      crl: { enabled: true, generateOnRevoke: true, cacheDuration: '24h', renewPeriod: '1m', idpURL: crl },
      authority: {
        claims: { maxTLSCertDuration: YEARS, defaultTLSCertDuration: YEARS, disableRenewal: true, disableSmallstepExtensions: true },
        provisioners: [
          {
            type: 'JWK',
            name: 'countersign',
            key: provisioner.publicJwk,
            options: { x509: { templateFile: file('phone.tpl'), templateData: { crl } } },
          },
        ],
      },
    };
    await save('ca.json', JSON.stringify(config));
    const child = spawn(STEP_CA, [file('ca.json')], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, STEPPATH: directory } });
    const authority = new StepCa(child, `https://127.0.0.1:${port}`, crl, JSON.stringify(provisioner.jwk));
    await authority.#ready();
    return authority;
  }

  async #ready(): Promise<void> {
    let said = '';
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(this.child, 'exit').then(() => {
      throw new Error(`step-ca ended: ${said}`);
    });
    ended.catch(() => undefined);
    const serves = async (): Promise<void> => {
      while (!['HTTP', 'HTTPS'].every((protocol) => said.includes(`Serving ${protocol} on`))) await once(this.child.stderr!, 'data');
    };
    await Promise.race([serves(), ended]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill();
    await once(this.child, 'exit');
  }
}

const newProvisioner = () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const named = { use: 'sig', alg: 'ES256', kid: 'countersign-1' };
  return {
    jwk: { ...privateKey.export({ format: 'jwk' }), ...named },
    publicJwk: { ...createPublicKey(privateKey).export({ format: 'jwk' }), ...named },
  };
};

/** The template of deploy/step-ca. */
export const deployedTemplate = (): Promise<string> => readFile(TEMPLATE, 'utf8');
