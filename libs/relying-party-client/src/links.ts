/** The address to which you send the browser for a login on the hosted page. The token is a credential for one login: redirect, do not log. */
export const loginPageUrl = (loginUrl: string, handoffToken: string): string => {
  const url = new URL(loginUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  url.searchParams.set('t', handoffToken);
  return url.href;
};

export interface QrPayload {
  /** The {app_scheme} of specification/conventions.md#addresses, without `://`. */
  readonly appScheme: string;
  readonly sessionId: string;
  /** The page to which the app returns the user on the same device; its origin is that of a registered redirect URI. */
  readonly returnUrl: string;
}

/** The payload of the QR code on a self-hosted waiting page. On a phone, offer it as a link instead. */
export const qrPayload = ({ appScheme, sessionId, returnUrl }: QrPayload): string =>
  `${appScheme}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}`;

/** The payload as a link to the web phone at `appUrl`. A web page cannot own a scheme, so the payload is the fragment. */
export const webPhoneLink = (appUrl: string, payload: string): string => `${appUrl.replace(/\/+$/, '')}/#${encodeURIComponent(payload)}`;
