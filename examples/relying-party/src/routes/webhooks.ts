import type { FastifyInstance } from 'fastify';

import { verifyWebhook, WebhookRefused } from '#relying-party-client';

import type { Demo } from '../demo.js';

/** Where the login service posts to. The only address that no browser uses: what comes is trusted for its signature alone. */
export const WEBHOOKS = '/webhooks';

/** Takes what the login service tells this server: verifies the bytes that came, keeps the message, and answers. */
export const webhookRoute = (app: FastifyInstance, { inbox, webhookSecrets, log, now }: Demo): void => {
  if (webhookSecrets.length === 0) return;
  void app.register(async (scope) => {
    // What was parsed and written again is not what was signed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    scope.post<{ Body?: Buffer }>(WEBHOOKS, async (request, reply) => {
      try {
        inbox.take(verifyWebhook({ headers: request.headers, body: request.body ?? '', secrets: webhookSecrets, now: now() }));
      } catch (error) {
        if (!(error instanceof WebhookRefused)) throw error;
        log.warn('webhook refused', { reason: error.reason });
        return reply.code(400).send();
      }
      return reply.code(204).send();
    });
  });
};
