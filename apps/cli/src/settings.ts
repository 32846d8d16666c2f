import { join } from 'node:path';

import { format, loadSettings, Setting } from '#config';

/** The address of the service, and the operator's token. The settings have the service's own names, so that one environment fits both. */
export class CliSettings {
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

  @Setting({ env: 'ESDB_URL', as: format.text, fallbackText: 'unset: the SQLite file', meaning: 'EventStoreDB, for the commands of `store`.' })
  readonly esdbUrl?: string;

  @Setting({ env: 'ADMIN_TOKEN', as: format.text, fallbackText: 'read from `$DATA_DIR/admin-token`', meaning: 'Bearer token of `/admin/v1`.' })
  readonly adminToken?: string;
}

/** Throws InvalidSettings. */
export const readSettings = (): CliSettings => loadSettings(CliSettings, process.env);
