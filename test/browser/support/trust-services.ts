import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hasCmpRa } from '../../../testkit/programs/cmp-ra/build.ts';
import { CmpRa } from '../../../testkit/programs/cmp-ra/cmp-ra.ts';

export interface TrustServices extends AsyncDisposable {
  /** The settings of a service that uses them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The root's certificate (PEM). */
  readonly rootFile: string;
  /** The number of certificates that were issued. */
  readonly issued: () => number;
}

/** Trust services whose certificate authority is reached through a registration authority. */
export interface RegisteredTrustServices extends TrustServices {
  /** The number of messages that the registration authority has passed on. */
  readonly passedOn: () => number;
}

/** In a variable, so that the compiler does not read the library: it is written for Node's types, and this suite has a browser's too. */
const PKI = '#testkit/pki/openssl-trust-services';

const SECRET = { reference: 'countersign', secret: 'shared with the registration authority' };

/** Trust services of another house, with their files in this folder: OpenSSL's programs, and before their certificate authority the registration authority by Siemens. */
export const startTrustServices = async (folder: string): Promise<RegisteredTrustServices> => {
  const { startOpensslTrustServices: start } = (await import(PKI)) as {
    startOpensslTrustServices(folder: string, use: string): Promise<TrustServices>;
  };
  // what Siemens' component demands of the certificates that it passes on
  const openssl = await start(folder, 'digitalSignature, nonRepudiation');
  const { CA_CMP_URL: url = '', CA_CMP_SECRET_FILE: file = '' } = openssl.settings;
  const [reference = '', secret = ''] = (await readFile(file, 'utf8')).trim().split(':');
  const options = { directory: folder, clients: SECRET, authority: { url, reference, secret }, enrolmentTrust: openssl.rootFile };
  const registration = await CmpRa.start(options);
  const secretFile = join(folder, 'registration-secret');
  await writeFile(secretFile, `${SECRET.reference}:${SECRET.secret}\n`, { mode: 0o600 });
  return {
    ...openssl,
    settings: { ...openssl.settings, CA_CMP_URL: registration.url, CA_CMP_SECRET_FILE: secretFile },
    passedOn: () => registration.passedOn.length,
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]();
      await openssl[Symbol.asyncDispose]();
    },
  };
};

/** Whether they can be started here: CI builds the registration authority. */
export const canStartTrustServices = (): boolean => hasCmpRa() || Boolean(process.env['CI']);
