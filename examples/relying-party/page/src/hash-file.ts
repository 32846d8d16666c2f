/** Bytes. A page has to hold the file in memory. */
export const LARGEST = 500_000_000;

/** The SHA-512 of a file in hexadecimal digits, by the browser itself. Rejects with what the user is told. */
export const hashFile = async (file: File): Promise<string> => {
  if (file.size > LARGEST) throw new Error('This document is larger than 500 MB, too large for a page.');
  if (!globalThis.isSecureContext) throw new Error('This page has to be opened over https: without it the browser takes no fingerprints.');
  const digest = await crypto.subtle.digest('SHA-512', await contentOf(file));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

const contentOf = async (file: File): Promise<ArrayBuffer> => {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error('The document cannot be read. Perhaps it was moved or changed: choose it again.');
  }
};
