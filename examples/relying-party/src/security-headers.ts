/** The headers of every page: nothing inline, nothing from a third party, no framing. */
export const securityHeaders = (loginUrl: string, secure: boolean): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    // The answer to the login form is a redirect to the hosted page.
    `form-action 'self' ${new URL(loginUrl).origin}`,
  ].join('; '),
  // Not no-referrer: that would also remove the Origin header, by which the demo recognizes its own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'cache-control': 'no-store',
  ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});
