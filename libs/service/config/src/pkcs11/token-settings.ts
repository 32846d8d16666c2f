/** The settings `PKCS11_…`. */
export interface TokenSettings {
  /** Path of the library that the maker of the token supplies. */
  readonly pkcs11Module?: string | undefined;
  /** Label of the token. */
  readonly pkcs11Token?: string | undefined;
  /** Label of the AES key in the token. */
  readonly pkcs11Key?: string | undefined;
  /** File with the PIN of the token's user. */
  readonly pkcs11PinFile?: string | undefined;
}

/** Settings of the token that do not go together. */
export const tokenProblems = ({ pkcs11Module, pkcs11Token, pkcs11PinFile }: TokenSettings): readonly string[] =>
  new Set([pkcs11Module, pkcs11Token, pkcs11PinFile].map((value) => value === undefined)).size === 1
    ? []
    : ['PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE belong together: set all or none.'];
