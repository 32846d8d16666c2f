import type { FastifyInstance } from 'fastify';

import type { Administrator, AuthorityProof } from '#domain/administration';
import type { UnitOfWork } from '#engines/event-store';

export interface AuthorityParts {
  readonly unitOfWork: UnitOfWork;
  readonly authorityProof: AuthorityProof;
}

/** Whatever a request changes is decided together with the right of its sender, and not after it (specification/storage.md#what-a-decision-rests-on). */
export const proveAuthority = (fastify: FastifyInstance, { unitOfWork, authorityProof }: AuthorityParts): void => {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const caller = request.principal as Administrator | undefined;
    if (request.is404 || !caller || request.method === 'GET' || request.method === 'HEAD') return done();
    unitOfWork.under((looks) => authorityProof.require(looks, caller), done);
  });
};
