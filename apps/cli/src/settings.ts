import { join } from 'node:path';

import { format, loadSettings, Setting } from '#service/config';

import type { StoreOptions } from './store/on-store.js';

/** The address of the service, and the operator's token. The settings have the service's own names, so that one environment fits both. */
export class CliSettings {
  @Setting({ env: 'ENVIRONMENT', as: format.text, fallback: 'development', meaning: 'The environment of the service, which its MACs cover.' })
  readonly environment!: string;

  @Setting({ env: 'PORT', as: format.integer, fallback: '3000', meaning: 'The port of the service on this machine.' })
  readonly port!: number;

  @Setting({
    env: 'BASE_URL',
    as: format.httpUrl,
    fallback: ({ port }: CliSettings) => `http://localhost:${port}`,
    fallbackText: '`http://localhost:$PORT`',
    meaning: 'The address of the service.',
  })
  readonly baseUrl!: string;

  @Setting({ env: 'DATA_DIR', as: format.text, fallback: './data', meaning: 'Where a service on this machine keeps its `admin-token`.' })
  readonly dataDirectory!: string;

  @Setting({
    env: 'KEY_DIR',
    as: format.text,
    fallback: ({ dataDirectory }: CliSettings) => join(dataDirectory, 'keys'),
    fallbackText: '`$DATA_DIR/keys`',
    meaning: 'Where a service on this machine keeps its development root, `pki/root.pem`.',
  })
  readonly keyDirectory!: string;

  @Setting({ env: 'PKCS11_MODULE', as: format.text, fallbackText: 'unset', meaning: 'PKCS#11 library of the token that wraps the key files.' })
  readonly pkcs11Module?: string;

  @Setting({ env: 'PKCS11_TOKEN', as: format.text, fallbackText: 'unset', meaning: 'Label of the token.' })
  readonly pkcs11Token?: string;

  @Setting({ env: 'PKCS11_KEY', as: format.text, fallback: 'countersign', meaning: 'Label of the AES key in the token.' })
  readonly pkcs11Key!: string;

  @Setting({ env: 'PKCS11_PIN_FILE', as: format.text, fallbackText: 'unset', meaning: "File with the PIN of the token's user." })
  readonly pkcs11PinFile?: string;

  @Setting({
    env: 'ESDB_URL',
    as: format.addressOrFile('ESDB_PASSWORD_FILE'),
    fallbackText: 'unset: the SQLite file',
    meaning: 'EventStoreDB, for the commands of `store`.',
  })
  readonly esdbUrl?: string;

  @Setting({ env: 'ESDB_PASSWORD_FILE', as: format.text, fallbackText: 'unset', meaning: 'Password of the user in `ESDB_URL`.' })
  readonly esdbPasswordFile?: string;

  @Setting({ env: 'ESDB_CA_FILE', as: format.text, fallbackText: 'unset', meaning: 'CA of EventStoreDB.' })
  readonly esdbCaFile?: string;

  @Setting({ env: 'ESDB_CERT_FILE', as: format.text, fallbackText: 'unset', meaning: 'Client certificate for EventStoreDB.' })
  readonly esdbCertFile?: string;

  @Setting({ env: 'ESDB_KEY_FILE', as: format.text, fallbackText: 'unset', meaning: 'Key of `ESDB_CERT_FILE`.' })
  readonly esdbKeyFile?: string;

  @Setting({ env: 'SESSION_RETENTION', as: format.integer, fallback: '2592000', meaning: 'Seconds that a session is stored after its end.' })
  readonly sessionRetention!: number;

  @Setting({ env: 'ADMIN_TOKEN', as: format.text, fallbackText: 'read from `$DATA_DIR/admin-token`', meaning: 'Bearer token of `/admin/v1`.' })
  readonly adminToken?: string;
}

/** Throws InvalidSettings. */
export const readSettings = (): CliSettings => loadSettings(CliSettings, process.env);

/** The connection string of EventStoreDB and the files for it; empty if `ESDB_URL` is unset. */
export const eventStoreOf = (settings: Partial<CliSettings>): Pick<StoreOptions, 'esdbUrl' | 'esdbAccess'> => {
  const { esdbUrl, esdbPasswordFile: passwordFile, esdbCaFile: caFile, esdbCertFile: certFile, esdbKeyFile: keyFile } = settings;
  return esdbUrl === undefined ? {} : { esdbUrl, esdbAccess: { passwordFile, caFile, certFile, keyFile } };
};

/** The environment variables of the service, which checks them itself. */
export const serviceEnvironment = (): NodeJS.ProcessEnv => process.env;
