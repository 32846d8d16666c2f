import { type Randomness, Secret, sha256Base64url } from '#kernel';

/** A new secret of 256 random bits. It cannot be guessed, so a fast hash protects it as well as a slow one. */
export const newClientSecret = (randomness: Randomness): Secret<string> => new Secret(randomness.bytes(32).toString('base64url'));

/** The stored form of a client secret: base64url of the SHA-256 of its text. */
export const clientSecretHash = (secret: Secret<string>): string => sha256Base64url(secret.reveal());
