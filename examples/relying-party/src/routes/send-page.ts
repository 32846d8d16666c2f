import type { FastifyReply } from 'fastify';

import type { Demo } from '../demo.js';
import { languageOf } from '../language.js';
import { TEXTS } from '../messages/messages.js';
import { document, type View } from '../views/layout.js';

export type SendPage = (reply: FastifyReply, view: View, status?: number) => FastifyReply;

/** Answers a view in the language of the request. */
export const pageSender =
  ({ name, assets: { script, style } }: Demo): SendPage =>
  (reply, view, status = 200) => {
    const language = languageOf(reply.request);
    const texts = TEXTS[language];
    return reply
      .code(status)
      .headers({ 'content-language': language })
      .type('text/html; charset=utf-8')
      .send(document({ name, script, style, language, texts }, view(texts)));
  };
