/** RFC 6749 section 4.1.2: `code` and `state`, as far as there are any, are added to whatever query the URI has. */
export const redirectUrl = (redirectUri: string, { code, state }: { code?: string | undefined; state?: string | undefined }): string => {
  const parameters = Object.entries({ code, state }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  if (parameters.length === 0) return redirectUri;
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${joint}${parameters.join('&')}`;
};
