import { randomBytes } from 'node:crypto';

/** An address in a network of its own, so that no earlier count of a shared store is about it. */
export const someAddress = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
