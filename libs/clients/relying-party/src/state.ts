import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits: binds the callback to the browser that began the login (RFC 6749 section 10.12). */
export const newState = (): string => randomBytes(32).toString('base64url');

/** Whether the callback carries the state of the login. Compares in constant time. Throws a TypeError for an empty expected state. */
export const verifyState = (expected: string, received: unknown): boolean => {
  if (expected === '') throw new TypeError('the expected state is empty: was it kept in the session?');
  const matches = timingSafeEqual(digest(expected), digest(typeof received === 'string' ? received : ''));
  return matches && typeof received === 'string';
};

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
