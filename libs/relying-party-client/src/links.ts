/** Where to send the browser for a login on the hosted page. The token is a credential for one login: redirect, do not log. */
export const loginPageUrl = (loginUrl: string, handoffToken: string): string => {
  const url = new URL(loginUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  url.searchParams.set('t', handoffToken);
  return url.href;
};

export interface QrPayload {
  /** The specification's {app_scheme}, without `://`. */
  readonly appScheme: string;
  readonly sessionId: string;
  /** Where the app sends the user back to on the same device: a page of the origin of a registered redirect URI. */
  readonly returnUrl: string;
}

/** What the QR code of a self-hosted waiting page says. On a phone, offer it as a link instead. */
export const qrPayload = ({ appScheme, sessionId, returnUrl }: QrPayload): string =>
  `${appScheme}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}`;

/** The payload as a link to the web phone at `appUrl`: a web page cannot own a scheme, so it comes as the fragment. */
export const webPhoneLink = (appUrl: string, payload: string): string =>
  `${appUrl.replace(/\/+$/, '')}/#${encodeURIComponent(payload)}`;
