interface Names {
  readonly token: string;
}

const EXPLANATIONS: readonly (readonly [RegExp, (names: Names) => string])[] = [
  [
    /CKR_PIN_LOCKED/,
    ({ token }) => `PKCS11_PIN_FILE: the token "${token}" has locked its PIN after wrong ones. Its security officer has to set a new one.`,
  ],
  [
    /CKR_PIN_(INCORRECT|INVALID|LEN_RANGE)/,
    ({ token }) =>
      `PKCS11_PIN_FILE: the token "${token}" refuses the PIN. Put the PIN of its user into the file before the next start; a token locks itself after a few wrong ones.`,
  ],
  [/CKR_USER_PIN_NOT_INITIALIZED/, ({ token }) => `PKCS11_TOKEN: the user of the token "${token}" has no PIN yet. Initialise the token.`],
  [
    /CKR_(KEY_FUNCTION_NOT_PERMITTED|KEY_TYPE_INCONSISTENT|KEY_SIZE_RANGE)/,
    ({ token }) => `PKCS11_KEY: this key of the token "${token}" may not encrypt and decrypt. Make one with npm run cli -- keys make-wrapping-key.`,
  ],
  [
    /CKR_MECHANISM_(INVALID|PARAM_INVALID)/,
    ({ token }) => `PKCS11_TOKEN: the token "${token}" does not offer CKM_AES_GCM with an IV of the caller. Use another token.`,
  ],
  [
    /CKR_(DEVICE_|TOKEN_|SLOT_ID|SESSION_)/,
    ({ token }) => `PKCS11_TOKEN: the token "${token}" does not work now. Look into its own log, then start again.`,
  ],
];

/** The line for an error of a token, by the code in its message; undefined for other errors. */
export const explainTokenError = ({ message }: { readonly message: string }, names: Names): string | undefined =>
  EXPLANATIONS.find(([pattern]) => pattern.test(message))?.[1](names);
