import { UnreadableFile } from './mounted-file.js';

/** The engines, by the beginning of their settings' names. */
export type EngineName = 'ESDB' | 'KAFKA' | 'REDIS' | 'POSTGRES';

type Explain = (engine: EngineName) => string;

/** By codes and messages of Node's TLS, of OpenSSL and of the drivers. The first that fits counts. */
const REFUSALS: readonly (readonly [RegExp, Explain])[] = [
  [/alert (certificate )?(expired)|alert number 45/i, (engine) => `the engine says that the certificate in ${engine}_CERT_FILE has expired`],
  [
    /alert (certificate required|bad certificate|unknown ca|certificate unknown|handshake failure)|alert number (42|46|48|116)/i,
    (engine) => `the engine refuses the client certificate: check ${engine}_CERT_FILE and ${engine}_KEY_FILE`,
  ],
  [/CERT_HAS_EXPIRED|certificate has expired/, () => "the engine's certificate has expired"],
  [/CERT_NOT_YET_VALID|certificate is not yet valid/, () => "the engine's certificate is not valid yet"],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/,
    (engine) => `the engine's certificate is for another name than the one in ${addressOf(engine)}`,
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|CERT_SIGNATURE_FAILURE|self-signed certificate|unable to (verify the first|get (local )?issuer) certificate|certificate signature failure/,
    (engine) => `the engine's certificate is not of a trusted CA: set ${engine}_CA_FILE to its CA`,
  ],
  [
    /WRONG_VERSION_NUMBER|wrong version number|does not support SSL|packet length too long/i,
    (engine) => `the engine does not speak TLS at the address in ${addressOf(engine)}`,
  ],
  [
    /WRONGPASS|NOAUTH|\b28P01\b|\b28000\b|SASL (PLAIN|SCRAM-SHA-512) authentication failed|Authentication failed|Credentials are invalid|password authentication failed/i,
    (engine) => `the engine refuses the user or the password: check ${userOf(engine)} and ${engine}_PASSWORD_FILE`,
  ],
  [
    /access-denied|AccessDenied|UNAUTHENTICATED|PERMISSION_DENIED/,
    (engine) =>
      `the engine refuses the user, the password or the access: check ${userOf(engine)}, ${engine}_PASSWORD_FILE and the rights of the user`,
  ],
  [
    /NOPERM|\b42501\b|AUTHORIZATION_FAILED|not authorized to access|authorization failed/i,
    () => 'the user does not have the rights that this service needs',
  ],
];

const addressOf: Explain = (engine) => (engine === 'KAFKA' ? 'KAFKA_BROKERS' : `${engine}_URL`);
const userOf: Explain = (engine) => (engine === 'KAFKA' ? 'KAFKA_USER' : `the user in ${engine}_URL`);

/**
 * Why this service cannot use an engine: TLS, credentials, rights or an unreadable file, with the setting to look at. Undefined for other
 * errors, for example a lost connection. The text does not repeat the error's message, which may quote a secret.
 */
export const explainRefusal = (error: unknown, engine: EngineName): string | undefined => {
  for (const each of chain(error)) {
    if (each instanceof UnreadableFile) return each.message;
    const { code, type, message } = each as Readonly<Record<string, unknown>>;
    const text = [code, type, message].filter((part) => ['string', 'number'].includes(typeof part)).join(' ');
    const found = REFUSALS.find(([pattern]) => pattern.test(text));
    if (found) return found[1](engine);
  }
  return undefined;
};

/** Drivers wrap errors under different names. */
const chain = (error: unknown, depth = 0): readonly object[] => {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { cause, originalError, errors } = error as { readonly cause?: unknown; readonly originalError?: unknown; readonly errors?: unknown };
  const several: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return [error, ...[cause, originalError, ...several].flatMap((inner) => chain(inner, depth + 1))];
};
