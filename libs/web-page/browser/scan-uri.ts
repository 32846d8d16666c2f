/** What a QR code or a link of the service says (interface specification, "QR payload"; api-extensions 1, row 20). */
export interface ScanLink {
  readonly sessionId: string;
  /** Where the person came from on this same device. Not to be opened: only what the scan answers may be. */
  readonly returnUrl?: string;
  /** A rotating code: seconds since the session was created, and the proof of it. */
  readonly t?: number;
  readonly a?: string;
}

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The payload of the QR code, to the letter of the specification. */
export const scanUri = (appScheme: string, sessionId: string, returnUrl: string): string =>
  `${appScheme}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}`;

/** The same for a web phone, which cannot own a scheme: the URI as the fragment of its address, never sent to a server. */
export const webPhoneLink = (appUrl: string, uri: string): string =>
  `${appUrl.replace(/\/+$/, '')}/#${encodeURIComponent(uri)}`;

/** Reads a payload, or says undefined: another scheme or path, a parameter twice, no UUID, a broken escape. */
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
