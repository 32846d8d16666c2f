import { words } from './words.js';

/** The page holds the file in memory. */
export const MAX_FILE_BYTES = 500_000_000;

/** The SHA-512 of a file in hexadecimal digits, computed in the browser. Rejects with a message for the user. */
export const hashFile = async (file: File): Promise<string> => {
  if (file.size > MAX_FILE_BYTES) throw new Error(words().tooLarge);
  if (!globalThis.isSecureContext) throw new Error(words().notSecure);
  const digest = await crypto.subtle.digest('SHA-512', await contentOf(file));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

const contentOf = async (file: File): Promise<ArrayBuffer> => {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error(words().unreadable);
  }
};
