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
