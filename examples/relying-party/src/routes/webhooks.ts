import type { FastifyInstance } from 'fastify';

import { verifyWebhook, WebhookRefused } from '#clients/relying-party';

import type { Demo } from '../demo.js';

/** The webhook endpoint. It is the only address that no browser uses: messages are trusted for their signature alone. */
export const WEBHOOKS = '/webhooks';

/** Receives the messages of the login service: verifies the received bytes, stores the message, and answers. */
export const webhookRoute = (app: FastifyInstance, { inbox, webhookSecrets, log, now }: Demo): void => {
  if (webhookSecrets.length === 0) return;
  void app.register(async (scope) => {
    // The signature covers the received bytes; a body that was parsed and serialized again may differ.
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
