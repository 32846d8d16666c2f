import { createHash } from 'node:crypto';

export interface PageSecurity {
  /** The service's {base_url} (specification/conventions.md#addresses): beside the page's own origin the only one that it may call. */
  readonly baseUrl: string;
  /** Whether the page reads QR codes with the camera. */
  readonly camera?: boolean;
}

/**
 * The response headers of a page that holds credentials: nothing inline, nothing from a third party, no framing, and no
 * referrer to another server.
 */
export const securityHeaders = ({ baseUrl, camera = false }: PageSecurity): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "img-src 'self' data:",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [
    `camera=(${camera ? 'self' : ''})`,
    ...['microphone', 'geolocation', 'payment', 'usb', 'display-capture'].map((feature) => `${feature}=()`),
  ].join(', '),
});

/**
 * The same headers for one document: the inline script and style that the build wrote into it are allowed by their digests
 * (CSP 3, 8.4), and nothing else that is inline.
 */
export const allowingInline = (headers: Readonly<Record<string, string>>, html: string): Readonly<Record<string, string>> => {
  const policy = headers['content-security-policy'];
  if (policy === undefined) return headers;
  const allowed = (['script', 'style'] as const).reduce((found, name) => {
    const digests = [...html.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, text = '']) => digestOf(text));
    return found.replace(`${name}-src 'self'`, [`${name}-src 'self'`, ...digests].join(' '));
  }, policy);
  return { ...headers, 'content-security-policy': allowed };
};

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
