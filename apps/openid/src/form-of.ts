import type { FastifyRequest } from 'fastify';

import { parseParameters } from '#service/http';
import type { Parameters } from '#domain/openid';

/** The parameters in the body; none without a body. */
export const formOf = ({ body }: FastifyRequest): Parameters => (body ?? {}) as Parameters;

/** The parameters in the query. Throws InvalidRequest. */
export const queryOf = ({ url }: FastifyRequest): Parameters => {
  const at = url.indexOf('?');
  return at < 0 ? {} : parseParameters(url.slice(at + 1));
};
