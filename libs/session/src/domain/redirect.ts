/** RFC 6749 section 4.1.2: `code` and, as it was given, `state` are added to whatever query the URI has. */
export const redirectUrl = (redirectUri: string, code: string, state: string | undefined): string => {
  const parameters = [`code=${code}`, ...(state === undefined ? [] : [`state=${encodeURIComponent(state)}`])].join('&');
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${joint}${parameters}`;
};
