import type { FastifyRequest, onRequestHookHandler } from 'fastify';

import { ServiceUnavailable } from '#kernel';

export interface HeldBack {
  /** Why requests are held back now; undefined while they are not. */
  readonly reason: () => string | undefined;
  /** The requests that go on all the same. Default: none. */
  readonly except?: (request: FastifyRequest) => boolean;
}

/** Answers 503 `service_unavailable` while there is a reason. Unknown paths are answered 404 later. */
export const holdBack =
  ({ reason, except = () => false }: HeldBack): onRequestHookHandler =>
  (request, _reply, done) => {
    const found = request.is404 || except(request) ? undefined : reason();
    done(found === undefined ? undefined : new ServiceUnavailable(found));
  };
