import { createHmac } from 'node:crypto';

import type { QrFrames } from './session.js';

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
  /** Of the session, if it has any: then the payload is that of `now`, and the page must ask your server for a new one each second. */
  readonly frames?: QrFrames | undefined;
  /** Epoch milliseconds of your server; default: its clock. */
  readonly now?: number;
}

/** The frame of a code that changes each second (specification/login-ui.md#dynamic-qr). */
const frame = (sessionId: string, { secret, begunAt }: QrFrames, now: number): string => {
  const t = Math.max(0, Math.floor((now - begunAt) / 1000));
  const a = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${sessionId}.${t}`).digest('base64url');
  return `&t=${t}&a=${a}`;
};

/** The payload of the QR code on a self-hosted waiting page. On a phone, offer it as a link instead. */
export const qrPayload = ({ appScheme, sessionId, returnUrl, frames, now = Date.now() }: QrPayload): string =>
  `${appScheme}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}${frames ? frame(sessionId, frames, now) : ''}`;

/** The payload as a link to the web phone at `appUrl`. A web page cannot own a scheme, so the payload is the fragment. */
export const webPhoneLink = (appUrl: string, payload: string): string => `${appUrl.replace(/\/+$/, '')}/#${encodeURIComponent(payload)}`;
