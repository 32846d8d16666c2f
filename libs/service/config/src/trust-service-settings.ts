import { IsIn, Matches } from 'class-validator';

import { EngineAccessSettings } from './engine-access-settings.js';
import { addresses, flag, httpUrl, text } from './formats.js';
import { Absent, IsHttpUrls } from './rules.js';
import { Setting } from './setting.decorator.js';

const LOGIN = 'File with `user:password`';
const KEY_STORE = 'PKCS#12 file with one key and its certificate, for mutual TLS';

/** The settings of external trust services. */
export class TrustServiceSettings extends EngineAccessSettings {
  @Setting({
    env: 'TSA_URLS',
    as: addresses,
    meaning: 'Time-stamping authorities (RFC 3161 over HTTP), asked in this order. Unset: that of the development trust service.',
  })
  @Absent()
  @IsHttpUrls()
  readonly tsaUrls?: readonly string[];

  @Setting({
    env: 'TSA_ISSUERS',
    as: text,
    meaning: 'File of PEM certificates: the issuers of the time-stamping units, as most authorities send their own certificate only.',
  })
  readonly tsaIssuers?: string;

  @Setting({ env: 'TSA_POLICY', as: text, meaning: "Object identifier of the policy that time-stamps must have. Unset: the authority's own." })
  @Absent()
  @Matches(/^[0-2](\.(0|[1-9]\d{0,9})){1,20}$/, { message: '$property must be an object identifier such as 1.3.6.1.4.1.32473.1.2' })
  readonly tsaPolicy?: string;

  @Setting({ env: 'TSA_LOGIN_FILE', as: text, meaning: `${LOGIN} for the authorities in \`TSA_URLS\`, by HTTP Basic authentication.` })
  readonly tsaLoginFile?: string;

  @Setting({ env: 'TSA_KEY_STORE', as: text, meaning: `${KEY_STORE} with the authorities in \`TSA_URLS\`.` })
  readonly tsaKeyStore?: string;

  @Setting({ env: 'TSA_KEY_STORE_PASSWORD_FILE', as: text, meaning: 'File with the password of `TSA_KEY_STORE`. Unset: the empty password.' })
  readonly tsaKeyStorePasswordFile?: string;

  @Setting({
    env: 'OCSP_URL',
    as: httpUrl,
    meaning:
      'OCSP responder to ask about signers in place of the one that their certificates name. Other certificates are asked about where they say.',
  })
  readonly ocspUrl?: string;

  @Setting({ env: 'OCSP_LOGIN_FILE', as: text, meaning: `${LOGIN} for \`OCSP_URL\`, by HTTP Basic authentication. No other responder gets it.` })
  readonly ocspLoginFile?: string;

  @Setting({ env: 'OCSP_KEY_STORE', as: text, meaning: `${KEY_STORE} with \`OCSP_URL\`. No other responder sees it.` })
  readonly ocspKeyStore?: string;

  @Setting({ env: 'OCSP_KEY_STORE_PASSWORD_FILE', as: text, meaning: 'File with the password of `OCSP_KEY_STORE`. Unset: the empty password.' })
  readonly ocspKeyStorePasswordFile?: string;

  @Setting({
    env: 'OCSP_NONCE',
    as: flag,
    fallback: 'true',
    meaning:
      'Whether responders must repeat a nonce. Set it to false for responders that answer from stock; answers about signers must be of this minute all the same.',
  })
  readonly ocspNonce!: boolean;

  @Setting({
    env: 'TRUST_ANCHORS',
    as: text,
    meaning: 'File of PEM certificates: trusted roots of signatures and time-stamps; in `development` and `test` besides the development root.',
  })
  readonly trustAnchors?: string;

  @Setting({
    env: 'CA_CMP_URL',
    as: httpUrl,
    meaning:
      'Certificate authority of the phones, by CMP over HTTP (RFC 9483), for which this service is the registration authority. Unset: the authority of the development trust service; in a guarded environment none, and nothing is signed.',
  })
  readonly caCmpUrl?: string;

  @Setting({
    env: 'CA_CMP_SECRET_FILE',
    as: text,
    meaning: 'File with `reference:secret`: the secret that is shared with the authority at `CA_CMP_URL`, and the name under which it knows it.',
  })
  readonly caCmpSecretFile?: string;

  @Setting({
    env: 'CA_CMP_KEY_STORE',
    as: text,
    meaning: 'PKCS#12 file with one key and its certificate, which sign the requests to `CA_CMP_URL`, in place of a shared secret.',
  })
  readonly caCmpKeyStore?: string;

  @Setting({ env: 'CA_CMP_KEY_STORE_PASSWORD_FILE', as: text, meaning: 'File with the password of `CA_CMP_KEY_STORE`. Unset: the empty password.' })
  readonly caCmpKeyStorePasswordFile?: string;

  @Setting({
    env: 'CA_CMP_SIGNERS',
    as: text,
    meaning: 'File of PEM certificates: those that may sign the answers of `CA_CMP_URL`, with `CA_CMP_KEY_STORE`. No other certificate may.',
  })
  readonly caCmpSigners?: string;

  @Setting({ env: 'CA_CMP_PROFILE', as: text, meaning: "Name of the authority's profile for certificates of phones. Unset: none is named." })
  readonly caCmpProfile?: string;

  @Setting({
    env: 'CA_STEP_URL',
    as: httpUrl,
    meaning:
      'Certificate authority of the phones in place of `CA_CMP_URL`: the address of a step-ca with a JWK provisioner ([operator.md](operator.md#trust-services)).',
  })
  readonly caStepUrl?: string;

  @Setting({ env: 'CA_STEP_PROVISIONER', as: text, fallback: 'countersign', meaning: 'Name of the provisioner at `CA_STEP_URL`.' })
  readonly caStepProvisioner!: string;

  @Setting({
    env: 'CA_STEP_KEY_FILE',
    as: text,
    meaning: 'File with the private key of the provisioner (P-256): a JWK, decrypted, or PEM. A PEM key has its thumbprint as `kid`.',
  })
  readonly caStepKeyFile?: string;

  @Setting({
    env: 'CA_STEP_TLS_ROOTS',
    as: text,
    meaning: 'File of PEM certificates: the roots of the TLS certificate of `CA_STEP_URL`, which step-ca issues itself. Unset: those of Node.',
  })
  readonly caStepTlsRoots?: string;

  @Setting({
    env: 'CA_ISSUERS',
    as: text,
    meaning: 'File of PEM certificates: those between the root and the phones, the issuing one first. Unset: those in the answers of the authority.',
  })
  readonly caIssuers?: string;

  @Setting({
    env: 'CONTAINER_LEVEL',
    as: text,
    fallback: 'LT',
    meaning:
      'Level of the containers: `LT`, or `LTA` with an archive time-stamp over all, for archives. It takes a second time-stamp for each signature ([signing.md](specification/signing.md#archive-time-stamps)).',
  })
  @IsIn(['LT', 'LTA'], { message: '$property must be LT or LTA' })
  readonly containerLevel!: 'LT' | 'LTA';
}
