import type { FastifyInstance } from 'fastify';

import { type ClientId, parseId } from '#kernel';
import type { FindLogo } from '#domain/relying-party';

/** The addresses of logos below {login_url}. */
export const LOGOS = '/logos/:clientId/:file';

/** The file of a picture: its hash. */
const PICTURE = /^[0-9a-f]{64}\.png$/;

const HEADERS = {
  // The address holds the hash of the picture, so the picture never changes.
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves the approved logos below {login_url}, from the page's own origin: the page loads nothing from a relying party. The pictures are PNGs that
 * the service encoded itself. Any other address answers 404.
 */
export const serveLogos = (fastify: FastifyInstance, loginUrl: string, findLogo: Pick<FindLogo, 'shown'>): void => {
  const mount = new URL(loginUrl).pathname.replace(/\/+$/, '');
  fastify.get<{ Params: { clientId: string; file: string } }>(`${mount}${LOGOS}`, async (request, reply) => {
    const { clientId, file } = request.params;
    const id = PICTURE.test(file) ? parseId<ClientId>(clientId) : undefined;
    const logo = id && (await findLogo.shown(id));
    if (!logo || file !== `${logo.hash}.png`) return reply.callNotFound();
    return reply.headers(HEADERS).type('image/png').send(Buffer.from(logo.image, 'base64'));
  });
};
