import type { Randomness } from '#kernel';

import type { KeyFileName } from '../key-file-names.js';
import { ClearKeyFiles, KeySeal, KeySealProblem, wrappedKeysOf } from '../key-seal.js';
import { InvalidSettings } from '../load-settings.js';
import { TAG_BYTES, Token } from './token.js';
import { tokenProblems, type TokenSettings } from './token-settings.js';

const IV_BYTES = 12;

/**
 * Key files that a token has wrapped, each as a whole and under its own name: a changed file, and one that was put in the place of another, are refused. So is a file in
 * clear, which a person could otherwise put there without the token.
 */
export class Pkcs11Seal extends KeySeal {
  /** Of each file the content that was unwrapped last: services read their files every few seconds. */
  readonly #unwrapped = new Map<KeyFileName, { readonly content: string; readonly keys: string }>();

  constructor(
    private readonly token: Token,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  override async seal(file: KeyFileName, keys: string): Promise<string> {
    const iv = this.randomness.bytes(IV_BYTES);
    const encrypted = await this.token.encrypt(Buffer.from(keys), iv, contextOf(file));
    // Nothing is written that the token would not open again.
    const opened = await this.token.decrypt(encrypted, iv, contextOf(file));
    if (opened?.toString() !== keys) throw new KeySealProblem(`PKCS11_KEY: the token does not open what it has wrapped. Use another token.`);
    return `${JSON.stringify({ wrapped: Buffer.concat([iv, encrypted]).toString('base64') }, null, 2)}\n`;
  }

  override async unseal(file: KeyFileName, content: string): Promise<string> {
    const known = this.#unwrapped.get(file);
    if (known?.content === content) return known.keys;
    const found = wrappedKeysOf(content);
    if (!found) throw new KeySealProblem(`PKCS11_MODULE is set, and ${file}.json is not wrapped. Run npm run cli -- keys wrap.`);
    const bytes = Buffer.from(found.wrapped, 'base64');
    const clear =
      bytes.length > IV_BYTES + TAG_BYTES
        ? await this.token.decrypt(bytes.subarray(IV_BYTES), bytes.subarray(0, IV_BYTES), contextOf(file))
        : undefined;
    if (!clear)
      throw new KeySealProblem(
        `PKCS11_KEY: this key does not open ${file}.json: the file was changed, or another key has wrapped it. Put the file back from your copy, or set PKCS11_KEY.`,
      );
    const keys = clear.toString();
    this.#unwrapped.set(file, { content, keys });
    return keys;
  }
}

const contextOf = (file: KeyFileName): Buffer => Buffer.from(`countersign key file v1: ${file}`);

/** The token of the settings; undefined where none is set. Throws {@link InvalidSettings}. */
export const tokenOf = (settings: TokenSettings): Token | undefined => {
  const problems = tokenProblems(settings);
  if (problems.length > 0) throw new InvalidSettings(problems);
  const { pkcs11Module: module, pkcs11Token: token, pkcs11Key: key, pkcs11PinFile: pinFile } = settings;
  return module && token && key && pinFile ? new Token({ module, token, key, pinFile }) : undefined;
};

/** How the settings say that the key files in `KEY_DIR` are written: by a token, or in plain text. Throws {@link InvalidSettings}. */
export const keySealOf = (settings: TokenSettings, randomness: Randomness): KeySeal => {
  const token = tokenOf(settings);
  return token ? new Pkcs11Seal(token, randomness) : new ClearKeyFiles();
};
