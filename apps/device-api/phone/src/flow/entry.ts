import { readScanUri, type ScanLink } from '#web-page/browser';

/** The input of the phone: from its own address, the camera or the clipboard. */
export type Entry = { readonly kind: 'SCAN'; readonly link: ScanLink } | { readonly kind: 'ACTIVATE'; readonly code: string };

const ACTIVATE = 'activate=';

/** Reads the fragment of this page's address: `#activate=<code>` or `#<the QR payload, encoded>`. */
export const readFragment = (hash: string, appScheme: string): Entry | undefined => {
  const fragment = hash.replace(/^#/, '');
  if (fragment.startsWith(ACTIVATE)) {
    const code = decode(fragment.slice(ACTIVATE.length))?.trim();
    return code === undefined || code === '' ? undefined : { kind: 'ACTIVATE', code };
  }
  const link = readScanUri(decode(fragment) ?? '', appScheme);
  return link === undefined ? undefined : { kind: 'SCAN', link };
};

/** Reads pasted or scanned text: the payload itself, or a link to a web phone that carries it. */
export const readInput = (text: string, appScheme: string): Entry | undefined => {
  const link = readScanUri(text, appScheme);
  if (link !== undefined) return { kind: 'SCAN', link };
  const trimmed = text.trim();
  const hash = trimmed.indexOf('#');
  return /^https?:\/\//i.test(trimmed) && hash > 0 ? readFragment(trimmed.slice(hash), appScheme) : undefined;
};

/** Without `returnUrl` in the scan the service answers no return address. */
export const withoutReturnUrl = ({ returnUrl: _, ...link }: ScanLink): ScanLink => link;

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
