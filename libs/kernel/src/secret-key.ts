import { createSecretKey, type KeyObject } from 'node:crypto';

const known = new WeakMap<Buffer, KeyObject>();

/** The key as Node likes it, made once for a buffer that never changes: from bare bytes each use costs several times as much. */
export const secretKey = (key: Buffer): KeyObject => {
  const made = known.get(key) ?? createSecretKey(key);
  known.set(key, made);
  return made;
};
