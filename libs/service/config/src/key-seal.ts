import type { KeyFileName } from './key-file-names.js';

/** A key file cannot be read or written as `KEY_DIR` keeps it. The message is a line that names the setting and the remedy, and holds no key and no PIN. */
export class KeySealProblem extends Error {}

/** Turns the list of keys into the text of a key file, and back. */
export abstract class KeySeal {
  /** The text of the key file for this list of keys. Throws {@link KeySealProblem}. */
  abstract seal(file: KeyFileName, keys: string): Promise<string>;

  /** The list of keys; a text that is no key file is answered as it is. Throws {@link KeySealProblem}. */
  abstract unseal(file: KeyFileName, content: string): Promise<string>;
}

/** A key file that a token has wrapped. */
export interface WrappedKeys {
  /** Base64: 12 bytes of IV, the encrypted list of keys, 16 bytes of tag. */
  readonly wrapped: string;
}

/** The wrapped keys of a file; undefined for every other content. */
export const wrappedKeysOf = (content: string): WrappedKeys | undefined => {
  try {
    const { wrapped } = JSON.parse(content) as Partial<WrappedKeys>;
    return typeof wrapped === 'string' ? { wrapped } : undefined;
  } catch {
    return undefined;
  }
};

/** Key files in plain text. Only their file mode protects them. */
export class ClearKeyFiles extends KeySeal {
  override async seal(_: KeyFileName, keys: string): Promise<string> {
    return keys;
  }

  override async unseal(file: KeyFileName, content: string): Promise<string> {
    if (!wrappedKeysOf(content)) return content;
    throw new KeySealProblem(
      `PKCS11_MODULE is not set, and ${file}.json is wrapped. Set PKCS11_MODULE, PKCS11_TOKEN, PKCS11_KEY and PKCS11_PIN_FILE to the token with its key (docs/operator.md).`,
    );
  }
}
