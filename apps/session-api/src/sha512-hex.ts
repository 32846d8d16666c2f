import { Matches } from 'class-validator';

/** A SHA-512 in hex, upper or lower case (specification/relying-party.md#post-session). */
export const SHA512_HEX = /^[0-9a-fA-F]{128}$/;

export const SHA512_RULE = 'must be 128 hex characters';

/** A field that holds a SHA-512 in hex. */
export const Sha512Hex = (): PropertyDecorator => Matches(SHA512_HEX, { message: SHA512_RULE });
