/** The fields of a session's QR code (specification/login-ui.md#qr-payload, specification/login-ui.md#dynamic-qr). */
export interface QrPayload {
  /** In lower case. */
  readonly sessionId: string;
  readonly returnUrl: string;
  /** Of a dynamic code: seconds since the session was created, and the authenticator. */
  readonly t?: number;
  readonly a?: string;
}

/** The text is no payload of specification/login-ui.md#qr-payload. The message names the fault and quotes nothing of the text. */
export class UnreadableQr extends Error {
  override readonly name = 'UnreadableQr';
}

/** The payload as specification/login-ui.md#qr-payload writes it. */
export const qrPayload = (appScheme: string, sessionId: string, returnUrl: string): string =>
  `${appScheme}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}`;

const PARAMETERS = ['sessionId', 'returnUrl', 't', 'a'];
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** RFC 3986 section 2.3, the other characters that encodeURIComponent leaves as they are, and the slash, which has no meaning in a query. */
const PERCENT_ENCODED = /^(?:[A-Za-z0-9\-._~!'()*/]|%[0-9A-Fa-f]{2})*$/;

/**
 * Stricter than a real phone, so that a relying party learns what is wrong with its own code: both
 * parameters once and percent-encoded, nothing else. Throws {@link UnreadableQr}.
 */
export const readQrPayload = (text: string, appScheme: string): QrPayload => {
  const start = `${appScheme}://app/scan?`;
  if (!text.startsWith(start)) throw new UnreadableQr(`must begin with ${start}`);
  const values = readParameters(text.slice(start.length));
  const sessionId = values.get('sessionId') ?? '';
  const returnUrl = values.get('returnUrl') ?? '';
  if (!SESSION_ID.test(sessionId)) throw new UnreadableQr('must hold sessionId, a UUID');
  if (returnUrl === '') throw new UnreadableQr('must hold returnUrl');
  return { sessionId: sessionId.toLowerCase(), returnUrl, ...readFrame(values.get('t'), values.get('a')) };
};

const readParameters = (query: string): Map<string, string> => {
  const values = new Map<string, string>();
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (!PARAMETERS.includes(name)) throw new UnreadableQr(`must hold no other parameters than ${PARAMETERS.join(', ')}`);
    if (values.has(name)) throw new UnreadableQr(`must hold ${name} once`);
    values.set(name, decoded(name, pair.slice(equals + 1)));
  }
  return values;
};

const decoded = (name: string, value: string): string => {
  if (!PERCENT_ENCODED.test(value)) throw new UnreadableQr(`must hold ${name} percent-encoded`);
  try {
    return decodeURIComponent(value);
  } catch {
    throw new UnreadableQr(`must hold ${name} in UTF-8, percent-encoded`);
  }
};

const readFrame = (t: string | undefined, a: string | undefined): { t?: number; a?: string } => {
  if (t === undefined && a === undefined) return {};
  if (t === undefined || !/^\d{1,9}$/.test(t) || !a) throw new UnreadableQr('must hold t, in seconds, and a together');
  return { t: Number(t), a };
};
