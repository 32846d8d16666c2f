import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import type { PlatformSettings } from '#service/config';
import { builtPage } from '#web-page';

import { accepted, prefersHtml } from './accepted.js';
import { frontHeaders } from './front-headers.js';
import { isLanguage, type Language } from './messages/messages.js';
import { placesOf } from './places.js';
import { serveAssets } from './serve-assets.js';
import { welcomePage } from './welcome-page.js';

/** The picture of the welcome page. */
const MARK = 'mark.svg';

/** Serves `/`: a page with links for a person, the same addresses as JSON for a program. */
export const serveWelcome = async (front: FastifyInstance, settings: PlatformSettings): Promise<void> => {
  const places = placesOf(settings);
  const { style } = JSON.parse(readFileSync(join(builtPage('reference'), 'assets.json'), 'utf8')) as { style: string };
  await serveAssets(front, { prefix: '/welcome/assets/', only: [MARK, basename(style)] });
  front.get<{ Querystring: { lang?: unknown } }>('/', ({ headers, query }, reply) => {
    reply.header('vary', 'accept, accept-language');
    if (!prefersHtml(headers.accept)) return reply.send({ name: 'Countersign', environment: settings.environment, ...places });
    const language = isLanguage(query.lang) ? query.lang : languageOf(headers['accept-language']);
    const html = welcomePage({ language, places, style: `welcome/${style}`, mark: `welcome/assets/${MARK}` });
    return reply
      .headers(frontHeaders({ style: "'self'" }))
      .header('content-language', language)
      .type('text/html; charset=utf-8')
      .send(html);
  });
};

const languageOf = (header: string | undefined): Language =>
  accepted(header)
    .map((tag) => tag.split('-')[0])
    .find(isLanguage) ?? 'en';
