import { createHash } from 'node:crypto';

import type { DataToSign } from './session.js';

/** SHA-512 in lower case hexadecimal digits. */
export const sha512Of = async (data: DataToSign): Promise<string> => {
  if ('sha512' in data) return data.sha512.toLowerCase();
  const digest = createHash('sha512');
  if (data instanceof Uint8Array) digest.update(data);
  else for await (const chunk of data) digest.update(chunk);
  return digest.digest('hex');
};
