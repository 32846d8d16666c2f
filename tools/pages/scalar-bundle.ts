import fastifyApiReference from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

/** Scalar's finished script. Its package for Fastify contains it, but offers it only as a route. */
export const scalarBundle = async (): Promise<string> => {
  const app = fastify();
  await app.register(fastifyApiReference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, payload } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference has no js/scalar.js');
  // Its source map is not in the package.
  return payload.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
};
