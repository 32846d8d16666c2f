/** The page holds the file in memory. */
export const MAX_FILE_BYTES = 500_000_000;

/** The SHA-512 of a file in hexadecimal digits, computed in the browser. Rejects with a message for the user. */
export const hashFile = async (file: File): Promise<string> => {
  if (file.size > MAX_FILE_BYTES) throw new Error('This document is larger than 500 MB, too large for a page.');
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
