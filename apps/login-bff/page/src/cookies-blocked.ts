/** Nothing is kept in it; it is removed at once. */
const PROBE = 'countersign_probe';

/**
 * Whether the browser refuses a cookie of this page with the attributes of the login cookie (specification/login-ui.md#login-cookie).
 * `navigator.cookieEnabled` alone does not tell: Chromium answers true where its settings block all cookies.
 */
export const cookiesBlocked = (): boolean => {
  const attributes = '; Secure; SameSite=Lax';
  document.cookie = `${PROBE}=1${attributes}; Max-Age=60`;
  const kept = document.cookie.includes(`${PROBE}=1`);
  document.cookie = `${PROBE}=${attributes}; Max-Age=0`;
  return !kept;
};
