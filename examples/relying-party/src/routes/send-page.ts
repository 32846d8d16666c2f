import type { FastifyReply } from 'fastify';

import type { Demo } from '../demo.js';
import { document, type Page } from '../views/layout.js';

export type SendPage = (reply: FastifyReply, page: Page, status?: number) => FastifyReply;

export const pageSender =
  ({ name, assets: { script, style } }: Demo): SendPage =>
  (reply, page, status = 200) =>
    reply.code(status).type('text/html; charset=utf-8').send(document({ name, script, style }, page));
