import type { FastifyRequest } from 'fastify';

/** The header `DPoP` (RFC 9449 section 4.1). Several of them become one that is no JWT. */
export const dpopHeader = ({ headers }: FastifyRequest): string | undefined => headers['dpop']?.toString();
