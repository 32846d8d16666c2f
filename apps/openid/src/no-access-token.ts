import { domainError } from '#kernel';

/** The request brings none, so the answer names no error (RFC 6750 section 3.1). */
export class NoAccessToken extends domainError('unauthorized') {}
