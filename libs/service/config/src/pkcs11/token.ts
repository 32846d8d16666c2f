import { readFile } from 'node:fs/promises';

import type * as Pkcs11 from 'pkcs11js';

import { KeySealProblem } from '../key-seal.js';
import { explainTokenError } from './explain-token-error.js';

type Library = typeof Pkcs11;

export interface TokenKey {
  /** Path of the library that the maker of the token supplies. */
  readonly module: string;
  readonly token: string;
  readonly key: string;
  readonly pinFile: string;
}

/** An open session with the token. */
interface Session {
  readonly library: Library;
  readonly module: Pkcs11.PKCS11;
  readonly session: Pkcs11.Handle;
}

/**
 * A token behind PKCS#11 2.40 with an AES-256 key that never leaves it. Each call opens a session of its own and closes it, so the service uses
 * a token again as soon as it answers. The service does not try a PIN again that the token has refused: tokens lock themselves after a few tries.
 */
export class Token {
  #refusedPin: string | undefined;

  constructor(private readonly settings: TokenKey) {}

  /** AES-256-GCM in the token; the tag is at the end. Throws {@link KeySealProblem}. */
  encrypt(clear: Buffer, iv: Buffer, context: Buffer): Promise<Buffer> {
    return this.#inSession((opened) => {
      const { module, session } = opened;
      module.C_EncryptInit(session, gcm(opened, iv, context), this.#keyIn(opened));
      return module.C_Encrypt(session, clear, Buffer.alloc(clear.length + TAG_BYTES));
    });
  }

  /** Undefined where key, data and context do not belong together. Throws {@link KeySealProblem}. */
  decrypt(encrypted: Buffer, iv: Buffer, context: Buffer): Promise<Buffer | undefined> {
    return this.#inSession((opened) => {
      const { module, session } = opened;
      module.C_DecryptInit(session, gcm(opened, iv, context), this.#keyIn(opened));
      try {
        return module.C_Decrypt(session, encrypted, Buffer.alloc(encrypted.length));
      } catch (error) {
        // Tokens have different codes for a wrong tag; the session itself has worked until here.
        if (isTokenError(error) && !explainTokenError(error, this.settings)) return undefined;
        throw error;
      }
    });
  }

  /** Makes the key in the token; it can never be read from there. Throws {@link KeySealProblem}, also where there is one already. */
  makeKey(): Promise<void> {
    return this.#inSession((opened) => {
      const { library, module, session } = opened;
      if (this.#keysIn(opened).length > 0) throw new KeySealProblem(`PKCS11_KEY: the token "${this.settings.token}" has this key already. Use it.`);
      const flags = ['CKA_TOKEN', 'CKA_PRIVATE', 'CKA_SENSITIVE', 'CKA_ENCRYPT', 'CKA_DECRYPT'] as const;
      module.C_GenerateKey(session, { mechanism: library.CKM_AES_KEY_GEN }, [
        ...this.#attributes(library),
        { type: library.CKA_VALUE_LEN, value: 32 },
        { type: library.CKA_EXTRACTABLE, value: false },
        ...flags.map((flag) => ({ type: library[flag], value: true })),
      ]);
    });
  }

  #keyIn(opened: Session): Pkcs11.Handle {
    const [key, second] = this.#keysIn(opened);
    if (key && !second) return key;
    throw new KeySealProblem(
      second
        ? `PKCS11_KEY: the token "${this.settings.token}" has several AES keys of this label. Give each another label.`
        : `PKCS11_KEY: the token "${this.settings.token}" has no AES key of this label. Set PKCS11_KEY to the key that wrapped the files; for a new token run npm run cli -- keys make-wrapping-key.`,
    );
  }

  #keysIn({ library, module, session }: Session): readonly Pkcs11.Handle[] {
    module.C_FindObjectsInit(session, this.#attributes(library));
    try {
      return module.C_FindObjects(session, 2);
    } finally {
      module.C_FindObjectsFinal(session);
    }
  }

  #attributes(library: Library): Pkcs11.Template {
    return [
      { type: library.CKA_CLASS, value: library.CKO_SECRET_KEY },
      { type: library.CKA_KEY_TYPE, value: library.CKK_AES },
      { type: library.CKA_LABEL, value: this.settings.key },
    ];
  }

  async #inSession<Result>(work: (opened: Session) => Result): Promise<Result> {
    const pin = await this.#pin();
    const library = await loadLibrary();
    // From here on without an interruption: a process is logged in or not, whichever session asks.
    const module = new library.PKCS11();
    try {
      module.load(this.settings.module);
    } catch {
      throw new KeySealProblem(
        `PKCS11_MODULE names a file that cannot be loaded. Set it to the PKCS#11 library of the token, for this kind of machine.`,
      );
    }
    try {
      module.C_Initialize();
      try {
        return this.#logIn(library, module, pin, work);
      } finally {
        module.C_Finalize();
      }
    } catch (error) {
      if (!isTokenError(error)) throw error;
      const [code] = /CKR_\w+/.exec(error.message) ?? ['an unknown error'];
      throw new KeySealProblem(
        explainTokenError(error, this.settings) ?? `PKCS11_MODULE: the token "${this.settings.token}" answers ${code}. Look into its own log.`,
      );
    } finally {
      module.close();
    }
  }

  #logIn<Result>(library: Library, module: Pkcs11.PKCS11, pin: string, work: (opened: Session) => Result): Result {
    const slot = module.C_GetSlotList(true).find((one) => module.C_GetTokenInfo(one).label.trimEnd() === this.settings.token);
    if (!slot) throw new KeySealProblem(`PKCS11_TOKEN: there is no token "${this.settings.token}". Connect it, or set PKCS11_TOKEN to its label.`);
    const session = module.C_OpenSession(slot, library.CKF_SERIAL_SESSION | library.CKF_RW_SESSION);
    try {
      module.C_Login(session, library.CKU_USER, pin);
    } catch (error) {
      if (isTokenError(error) && error.message.includes('CKR_PIN_INCORRECT')) this.#refusedPin = pin;
      throw error;
    }
    return work({ library, module, session });
  }

  async #pin(): Promise<string> {
    const pin = await readFile(this.settings.pinFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new KeySealProblem(`PKCS11_PIN_FILE names a file that this user cannot read (${String(error.code)}). Set it to the file with the PIN.`);
    });
    const line = pin.replace(/\r?\n$/, '');
    if (line === this.#refusedPin) throw new KeySealProblem(explainTokenError({ message: 'CKR_PIN_INCORRECT' }, this.settings)!);
    return line;
  }
}

export const TAG_BYTES = 16;

const gcm = ({ library }: Session, iv: Buffer, aad: Buffer): Pkcs11.Mechanism => {
  const parameter: Pkcs11.AesGCM = { type: library.CK_PARAMS_AES_GCM, iv, aad, ivBits: iv.length * 8, tagBits: TAG_BYTES * 8 };
  return { mechanism: library.CKM_AES_GCM, parameter };
};

const isTokenError = (error: unknown): error is Error => error instanceof Error && ['Pkcs11Error', 'NativeError'].includes(error.name);

/** A native package, which only installations with a token need. */
const loadLibrary = async (): Promise<Library> => {
  try {
    const loaded = (await import('pkcs11js')) as Library & { readonly default?: Library };
    return loaded.default ?? loaded;
  } catch {
    throw new KeySealProblem(
      'PKCS11_MODULE needs the package pkcs11js, which is not built here. Install a C++ compiler, make and python3, then run npm rebuild pkcs11js.',
    );
  }
};
