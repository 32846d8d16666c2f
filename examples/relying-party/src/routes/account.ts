import type { FastifyInstance } from 'fastify';

import type { Demo } from '../demo.js';
import { accountPage } from '../views/account.js';
import { pageSender } from './send-page.js';

/** The account page, logging out, and removing the remembered subject. */
export const accountRoutes = (app: FastifyInstance, demo: Demo): void => {
  const { sessions } = demo;
  const send = pageSender(demo);

  app.get('/account', (request, reply) => {
    const account = sessions.find(request)?.account;
    return account ? send(reply, accountPage(account)) : reply.redirect('/', 303);
  });

  app.post('/logout', async (request, reply) => {
    const { knownSubjectId } = sessions.find(request) ?? {};
    sessions.renew(request, reply, knownSubjectId === undefined ? {} : { knownSubjectId });
    return reply.redirect('/', 303);
  });

  app.post('/forget', async (request, reply) => {
    const { account } = sessions.find(request) ?? {};
    sessions.renew(request, reply, account ? { account } : {});
    return reply.redirect('/', 303);
  });
};
