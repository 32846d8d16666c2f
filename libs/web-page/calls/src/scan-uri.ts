/** The content of a QR code or a link of the service (specification/login-ui.md#qr-payload, specification/login-ui.md#dynamic-qr). */
export interface ScanLink {
  readonly sessionId: string;
  /** The page that the person came from on this device. It must not be opened: only the address in the answer to the scan may be. */
  readonly returnUrl?: string;
  /** A rotating code: seconds since the session was created, and the proof of it. */
  readonly t?: number;
  readonly a?: string;
}

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The payload of the QR code, as in specification/login-ui.md#qr-payload. */
export const scanUri = (appScheme: string, sessionId: string, returnUrl: string): string =>
  `${appScheme}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}`;

/** The payload for a web phone, which cannot own a scheme: the fragment of its address, which is never sent to a server. */
export const webPhoneLink = (appUrl: string, uri: string): string => `${appUrl.replace(/\/+$/, '')}/#${encodeURIComponent(uri)}`;

/** Reads a payload. Undefined for another scheme or path, a repeated parameter, no UUID or a broken escape. */
export const readScanUri = (text: string, appScheme: string): ScanLink | undefined => {
  const start = `${appScheme}://app/scan?`;
  const trimmed = text.trim();
  if (trimmed.slice(0, start.length).toLowerCase() !== start.toLowerCase()) return undefined;
  const parameters = readQuery(trimmed.slice(start.length));
  const sessionId = parameters?.get('sessionId');
  if (parameters === undefined || sessionId === undefined || !SESSION_ID.test(sessionId)) return undefined;

  const returnUrl = parameters.get('returnUrl');
  const a = parameters.get('a');
  const t = parameters.get('t');
  if (t !== undefined && !/^-?\d{1,9}$/.test(t)) return undefined;
  return {
    sessionId: sessionId.toLowerCase(),
    ...(returnUrl === undefined ? {} : { returnUrl }),
    ...(t === undefined ? {} : { t: Number(t) }),
    ...(a === undefined ? {} : { a }),
  };
};

const readQuery = (query: string): Map<string, string> | undefined => {
  const parameters = new Map<string, string>();
  for (const pair of query.split('#')[0]?.split('&') ?? []) {
    const [name = '', ...rest] = pair.split('=');
    if (parameters.has(name)) return undefined;
    try {
      parameters.set(name, decodeURIComponent(rest.join('=')));
    } catch {
      return undefined;
    }
  }
  return parameters;
};
