/** The router would answer a malformed percent-encoding before any hook runs. Escaped, such a path is an unknown one. */
export const decodableUrl = (url: string): string => {
  if (!url.includes('%')) return url;
  try {
    decodeURI(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
};
