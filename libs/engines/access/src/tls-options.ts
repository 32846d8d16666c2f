import type { ConnectionOptions } from 'node:tls';

import { MountedFile } from './mounted-file.js';

/** PEM files. */
export interface TlsFiles {
  /** The CA of the engine's certificate; without it, the CAs that Node trusts. */
  readonly caFile?: string | undefined;
  /** The certificate of this service, with its chain, and the certificate's key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Options of `tls.connect` whose properties read their files each time: drivers copy them for each connection. Settings are named `<engine>_CA_FILE` and so on. Throws UnreadableFile. */
export const tlsOptions = (engine: string, { caFile, certFile, keyFile }: TlsFiles): ConnectionOptions => {
  const options = {};
  for (const [property, setting, path] of [
    ['ca', 'CA_FILE', caFile],
    ['cert', 'CERT_FILE', certFile],
    ['key', 'KEY_FILE', keyFile],
  ] as const) {
    if (path === undefined) continue;
    const file = new MountedFile(`${engine}_${setting}`, path);
    file.read();
    Object.defineProperty(options, property, { enumerable: true, configurable: true, get: () => file.read() });
  }
  return options;
};
