import { createSecretKey, type KeyObject } from 'node:crypto';

const known = new WeakMap<Buffer, KeyObject>();

/** The key as a KeyObject, made once for each buffer, which must not change: a key given as bytes costs several times as much at each use. */
export const secretKey = (key: Buffer): KeyObject => {
  const made = known.get(key);
  if (made) return made;
  const first = createSecretKey(key);
  known.set(key, first);
  return first;
};
