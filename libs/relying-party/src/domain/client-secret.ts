import { type Randomness, Secret, sha256Base64url } from '#kernel';

/** 256 random bits: too many to guess, so a fast hash protects it as well as a slow one would. */
export const newClientSecret = (randomness: Randomness): Secret<string> => new Secret(randomness.bytes(32).toString('base64url'));

export const clientSecretHash = (secret: Secret<string>): string => sha256Base64url(secret.reveal());
