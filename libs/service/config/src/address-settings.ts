import { join } from 'node:path';

import { Matches, Max, Min } from 'class-validator';

import { flag, httpUrl, integer, text } from './formats.js';
import { Absent } from './rules.js';
import { Setting } from './setting.decorator.js';

/** The identity of this deployment: its environment, the addresses where it listens and is reached, and the folder of its keys. */
export class AddressSettings {
  @Setting({
    env: 'ENVIRONMENT',
    as: text,
    fallback: 'development',
    meaning:
      'Separates subjectIds: the same person has another one in each environment. `development` and `test` listen on loopback. Every other name, such as `production`, is guarded: it refuses development keys, the sandbox, the demo, the development trust service, addresses without https, and engines without TLS and credentials, one origin for the phone or the portal and anything else, and values outside the bounds of this table.',
  })
  @Matches(/^[a-z][a-z0-9-]{0,31}$/, { message: '$property must be a letter of a-z, followed by at most 31 of a-z, 0-9 and -' })
  readonly environment!: string;

  @Setting({
    env: 'HOST',
    as: text,
    fallback: '127.0.0.1',
    meaning: 'The address to listen on. `0.0.0.0`: all of them. In `development` and `test` a loopback address, unless `DEVELOPMENT_NETWORK` is set.',
  })
  readonly host!: string;

  @Setting({
    env: 'DEVELOPMENT_NETWORK',
    as: flag,
    fallback: 'false',
    meaning: 'Lets `development` and `test` listen on other addresses than loopback. Everyone who reaches them can use their well-known credentials.',
  })
  readonly developmentNetwork!: boolean;

  @Setting({ env: 'PORT', as: integer, fallback: '3000', meaning: 'The port to listen on.' })
  @Min(1)
  @Max(65535)
  readonly port!: number;

  @Setting({
    env: 'OPS_PORT',
    as: integer,
    meaning:
      'When set, `/livez`, `/readyz` and `/metrics` answer there and no longer on `PORT`. In a guarded environment `/metrics`, `/docs` and `/openapi.json` answer there only.',
  })
  @Absent()
  @Min(1)
  @Max(65535)
  readonly opsPort?: number;

  @Setting({
    env: 'DATA_DIR',
    as: text,
    fallback: './data',
    meaning:
      'The folder of the databases and, by default, the keys. `:memory:` in `development` and `test`: nothing is kept on disk, and all is gone with the process.',
  })
  readonly dataDirectory!: string;

  @Setting({
    env: 'BASE_URL',
    as: httpUrl,
    fallback: ({ port }: AddressSettings) => `http://localhost:${port}`,
    fallbackText: '`http://localhost:$PORT`',
    meaning: '{base_url} of the specification: the address under which clients and browsers reach the service, without a path.',
  })
  @Matches(/^https?:\/\/[^/]+$/, { message: '$property must have no path: the service answers at the root of its host, where its cookie is valid' })
  readonly baseUrl!: string;

  @Setting({
    env: 'LOGIN_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: AddressSettings) => `${baseUrl}/login`,
    fallbackText: '`$BASE_URL/login`',
    meaning: '{login_url} of the specification: the hosted login page. It must be same-site with `BASE_URL`, or browsers do not send its cookie.',
  })
  readonly loginUrl!: string;

  @Setting({
    env: 'APP_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: AddressSettings) => `${baseUrl}/phone`,
    fallbackText: '`$BASE_URL/phone`',
    meaning: 'The web phone. It keeps keys, so a guarded environment wants an origin of its own for it.',
  })
  readonly appUrl!: string;

  @Setting({
    env: 'PORTAL_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: AddressSettings) => `${baseUrl}/portal`,
    fallbackText: '`$BASE_URL/portal`',
    meaning:
      'The portal of relying parties and staff. A guarded environment wants an origin of its own for it; `/portal/v1` and `/admin/v1` have to answer on that origin too.',
  })
  readonly portalUrl!: string;

  @Setting({
    env: 'INTERNAL_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: AddressSettings) => baseUrl,
    fallbackText: '`$BASE_URL`',
    meaning:
      'Where the portal reaches `/relying-party/v1` for its own logins, when a machine of the service cannot reach its public address: without https on loopback only.',
  })
  readonly internalUrl!: string;

  @Setting({
    env: 'ISSUER_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: AddressSettings) => `${URL.parse(baseUrl)?.origin ?? baseUrl}/openid`,
    fallbackText: '`$BASE_URL/openid`',
    meaning:
      'The issuer of OpenID Connect: an origin that leads to the service, followed by `/openid`. Relying parties compare it with every ID token, so keep it when `BASE_URL` changes.',
  })
  @Matches(/^https?:\/\/[^/]+\/openid$/, { message: '$property must be an origin followed by /openid' })
  readonly issuerUrl!: string;

  @Setting({
    env: 'APP_SCHEME',
    as: text,
    fallback: 'countersign',
    meaning: '{app_scheme} of the specification: the scheme of links that open the phone app.',
  })
  @Matches(/^[a-z][a-z0-9+.-]{0,63}$/, { message: '$property must be a URI scheme in lower case' })
  readonly appScheme!: string;

  @Setting({
    env: 'ADMIN_TOKEN',
    as: text,
    fallbackText: 'made on the first start, kept in `$DATA_DIR/admin-token`',
    meaning: 'Bearer token of `/admin/v1`. In a guarded environment at least 32 random characters that no document of this project shows.',
  })
  @Absent()
  @Matches(/^[\x21-\x7e]{16,}$/, { message: '$property must be at least 16 visible ASCII characters' })
  readonly adminToken?: string;

  @Setting({
    env: 'KEY_DIR',
    as: text,
    fallback: ({ dataDirectory }: AddressSettings) => join(dataDirectory, 'keys'),
    fallbackText: '`$DATA_DIR/keys`',
    meaning:
      'The key files `token.json`, `pin.json`, `data.json`, `event.json`, `checkpoint.json`, `subject.json`, `index.json` and `openid.json`; made on the first start in `development` and `test`. Without `openid.json` a guarded environment offers no OpenID Connect.',
  })
  readonly keyDirectory!: string;

  @Setting({
    env: 'PKCS11_MODULE',
    as: text,
    meaning: 'Path of the PKCS#11 library of a token (HSM) whose AES key has wrapped the key files. Unset: the key files are in clear.',
  })
  readonly pkcs11Module?: string;

  @Setting({ env: 'PKCS11_TOKEN', as: text, meaning: 'Label of the token, with `PKCS11_MODULE`.' })
  readonly pkcs11Token?: string;

  @Setting({ env: 'PKCS11_KEY', as: text, fallback: 'countersign', meaning: 'Label of the AES key in the token.' })
  readonly pkcs11Key!: string;

  @Setting({ env: 'PKCS11_PIN_FILE', as: text, meaning: "File with the PIN of the token's user. It is read again for each use of the token." })
  readonly pkcs11PinFile?: string;
}
