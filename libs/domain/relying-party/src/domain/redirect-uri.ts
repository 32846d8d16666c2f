/** Characters. */
export const LONGEST_REDIRECT_URI = 2000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The fault of a redirect URI, or undefined when it has none. It must be an absolute https URI, or http on loopback
 * (RFC 8252 §7.3), without user info and without a fragment (RFC 6749 §3.1.2). Nothing is normalised, because redirect
 * URIs are compared character by character.
 */
export const redirectUriFault = (uri: string): string | undefined => {
  if (uri.length > LONGEST_REDIRECT_URI) return `must have at most ${LONGEST_REDIRECT_URI} characters`;
  // The WHATWG URL parser drops tabs and line feeds, trims, and treats a backslash as a slash, so a browser would open another address than the text shows.
  if (!uri.isWellFormed() || /[\s\p{Cc}\p{Cf}\\]/u.test(uri)) return 'must hold no white space, control character or backslash';
  if (!/^https?:\/\/[^/]/.test(uri) || !URL.canParse(uri)) return 'must be an absolute https URI';
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'http:' && !LOOPBACK.test(hostname)) return 'must be https, or http on loopback';
  if (authority(uri).includes('@')) return 'must hold no user info';
  if (uri.includes('#')) return 'must hold no fragment';
  return undefined;
};

const authority = (uri: string): string => /^https?:\/\/([^/?#]*)/.exec(uri)?.[1] ?? '';
