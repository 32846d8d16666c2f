import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const openssl = (parameters: readonly string[]) => promisify(execFile)('openssl', [...parameters]);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

/** PEM files. */
export interface LocalCertificate {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** Key and certificate in one file, as Kafka wants them. */
  readonly bothFile: string;
}

/** A CA in `directory` and a certificate of it for this machine, both for two days. Made by openssl: a set-up of jest cannot load the test CA of our libraries. */
export const makeLocalCertificate = async (directory: string): Promise<LocalCertificate> => {
  const [caFile, caKey, certFile, keyFile] = ['ca.pem', 'ca.key', 'cert.pem', 'cert.key'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
    string,
  ];
  await openssl(['req', '-x509', ...NEW_KEY, '-keyout', caKey, '-out', caFile, '-days', '2', '-subj', '/CN=Integration CA']);
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const issuer = ['-CA', caFile, '-CAkey', caKey];
  await openssl([
    'req',
    '-x509',
    ...issuer,
    ...NEW_KEY,
    '-keyout',
    keyFile,
    '-out',
    certFile,
    '-days',
    '2',
    '-subj',
    '/CN=engines',
    '-addext',
    names,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ]);
  const bothFile = join(directory, 'both.pem');
  await writeFile(bothFile, (await readFile(keyFile, 'utf8')) + (await readFile(certFile, 'utf8')));
  return { caFile, certFile, keyFile, bothFile };
};
