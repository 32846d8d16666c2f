import type { ReadSettings } from './read-settings.js';

/** The problems of the credentials for trust services: the connection does not protect them, or two of them do not belong together. */
export const trustServiceProblems = (settings: ReadSettings): readonly string[] => [
  ...cmpProblems(settings),
  ...stepProblems(settings),
  ...(settings.tsaLoginFile === undefined && settings.tsaKeyStore === undefined
    ? []
    : unprotected(settings.tsaUrls ?? [''], 'TSA_LOGIN_FILE and TSA_KEY_STORE need TSA_URLS that begin with https://.')),
  ...(settings.ocspLoginFile === undefined && settings.ocspKeyStore === undefined
    ? []
    : unprotected([settings.ocspUrl ?? ''], 'OCSP_LOGIN_FILE and OCSP_KEY_STORE need an OCSP_URL that begins with https://.')),
];

const unprotected = (urls: readonly string[], problem: string): readonly string[] =>
  urls.every((url) => URL.parse(url)?.protocol === 'https:') ? [] : [problem];

const cmpProblems = ({ caCmpUrl, caCmpSecretFile, caCmpKeyStore, caCmpSigners }: ReadSettings): readonly string[] => {
  if (caCmpUrl === undefined) return [];
  return [
    ...((caCmpSecretFile === undefined) === (caCmpKeyStore === undefined) ? ['CA_CMP_URL needs either CA_CMP_SECRET_FILE or CA_CMP_KEY_STORE.'] : []),
    ...(caCmpKeyStore !== undefined && caCmpSigners === undefined
      ? ['CA_CMP_KEY_STORE needs CA_CMP_SIGNERS: the certificates that may sign the answers of the certificate authority.']
      : []),
  ];
};

const stepProblems = ({ caStepUrl, caStepKeyFile, caCmpUrl }: ReadSettings): readonly string[] =>
  caStepUrl === undefined
    ? []
    : [
        ...(caCmpUrl === undefined ? [] : ['CA_STEP_URL and CA_CMP_URL name two certificate authorities: leave one out.']),
        ...(caStepKeyFile === undefined ? ['CA_STEP_URL needs CA_STEP_KEY_FILE: the key of the provisioner.'] : []),
      ];
