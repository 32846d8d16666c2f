import { readFile } from 'node:fs/promises';

import { InvalidSettings } from '#service/config';
import { BadKeyStore, type ClientCredentials, readKeyStore } from '#signatures/pki';

/** The files of one client's credentials, by the prefix of their settings. */
export interface CredentialFiles {
  readonly prefix: 'TSA' | 'OCSP' | 'CA_CMP';
  readonly loginFile?: string | undefined;
  readonly keyStore?: string | undefined;
  readonly passwordFile?: string | undefined;
}

/** The credentials in these files; undefined when no file is set. Throws {@link InvalidSettings}. */
export const clientCredentials = async ({ prefix, loginFile, keyStore, passwordFile }: CredentialFiles): Promise<ClientCredentials | undefined> => {
  if (loginFile === undefined && keyStore === undefined) return undefined;
  const login = loginFile === undefined ? undefined : (await read(`${prefix}_LOGIN_FILE`, loginFile)).toString().trim();
  if (login !== undefined && !/^[^:\s]+:\S/.test(login)) throw new InvalidSettings([`${prefix}_LOGIN_FILE must hold user:password.`]);
  const password = passwordFile === undefined ? '' : (await read(`${prefix}_KEY_STORE_PASSWORD_FILE`, passwordFile)).toString().replace(/\r?\n$/, '');
  return {
    ...(login !== undefined && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    ...(keyStore !== undefined && opened(`${prefix}_KEY_STORE`, await read(`${prefix}_KEY_STORE`, keyStore), password)),
  };
};

const opened = (setting: string, p12: Buffer, password: string): ClientCredentials => {
  try {
    return readKeyStore(p12, password);
  } catch (error) {
    if (error instanceof BadKeyStore) throw new InvalidSettings([`${setting}: ${error.message}`], { cause: error });
    throw error;
  }
};

const read = (setting: string, path: string): Promise<Buffer> =>
  readFile(path).catch((cause: unknown) => {
    throw new InvalidSettings([`${setting} must be the path of a readable file.`], { cause });
  });
