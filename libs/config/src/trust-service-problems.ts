import type { ReadSettings } from './read-settings.js';

/** Credentials for trust services whose connection does not protect them. */
export const trustServiceProblems = (settings: ReadSettings): readonly string[] => [
  ...(settings.tsaLoginFile === undefined && settings.tsaKeyStore === undefined
    ? []
    : unprotected(settings.tsaUrls ?? [''], 'TSA_LOGIN_FILE and TSA_KEY_STORE need TSA_URLS that begin with https://.')),
  ...(settings.ocspLoginFile === undefined && settings.ocspKeyStore === undefined
    ? []
    : unprotected([settings.ocspUrl ?? ''], 'OCSP_LOGIN_FILE and OCSP_KEY_STORE need an OCSP_URL that begins with https://.')),
];

const unprotected = (urls: readonly string[], problem: string): readonly string[] =>
  urls.every((url) => URL.parse(url)?.protocol === 'https:') ? [] : [problem];
