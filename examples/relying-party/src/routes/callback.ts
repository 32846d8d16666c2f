import type { FastifyInstance } from 'fastify';

import type { Demo } from '../demo.js';
import { isForeignCallback } from '../logins.js';
import { MESSAGES, messagePage } from '../views/message.js';
import { pageSender } from './send-page.js';

/** The redirect URI: every login ends here, from the hosted page and from our own. */
export const callbackRoute = (app: FastifyInstance, demo: Demo): void => {
  const { logins, sessions, now } = demo;
  const send = pageSender(demo);

  app.get<{ Querystring: Record<string, unknown> }>('/callback', async (request, reply) => {
    const { login, ...visitor } = sessions.find(request) ?? {};
    if (!login) return send(reply, messagePage(MESSAGES.NO_LOGIN), MESSAGES.NO_LOGIN.status);
    try {
      const result = await logins.finish(login, request.query);
      // The session gets a new identifier, and the subjectId comes from the service alone.
      sessions.renew(request, reply, { account: { ...result, loggedInAt: now() }, knownSubjectId: result.subjectId });
      return await reply.redirect('/account', 303);
    } catch (error) {
      if (isForeignCallback(error)) sessions.renew(request, reply, visitor);
      throw error;
    }
  });
};
