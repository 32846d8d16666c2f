import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { SessionConflict, SessionNotFound, type SessionStatus, verifyReturnToken } from '#clients/relying-party';

import type { Demo } from '../demo.js';
import type { Device, LoginInProgress } from '../visitor.js';
import { MESSAGES, messagePage } from '../views/message.js';
import { sceneOf, waitingPage } from '../views/waiting.js';
import { abortedOnClose, HOLD_SECONDS, expiredIfUnknown } from './long-poll.js';
import { pageSender } from './send-page.js';

/**
 * The self-hosted waiting page. The session cookie alone determines its login; the page's `login` parameter only says which login
 * the page shows.
 */
export const waitingRoutes = (app: FastifyInstance, demo: Demo): void => {
  const { client, logins, sessions, returnValues, service, now } = demo;
  const send = pageSender(demo);
  const noLogin = (reply: FastifyReply) => send(reply, messagePage(MESSAGES.NO_LOGIN), MESSAGES.NO_LOGIN.status);

  app.get('/waiting', async (request, reply) => {
    const login = ownPageLogin(demo, request);
    if (!login) return sessions.find(request)?.account ? reply.redirect('/account', 303) : noLogin(reply);
    const state = await expiredIfUnknown(client.status(login.pending.sessionId));
    const payload = logins.payload(login);
    return send(
      reply,
      waitingPage({
        login,
        state,
        payload,
        verificationCode: login.pending.verificationCode,
        mayComplete: logins.mayComplete(login),
        appUrl: service.appUrl,
        now: now(),
      }),
    );
  });

  app.get<{ Querystring: StatusQuery }>('/waiting/status', { schema: { querystring: STATUS_QUERY } }, async (request, reply) => {
    const shown = ownPageLogin(demo, request);
    if (!shown) return sessions.find(request)?.account ? { scene: 'DONE' } : { scene: 'ELSEWHERE' };
    if (shown.loginId !== request.query.login) return { scene: 'ELSEWHERE' };
    const { since, held } = request.query;
    const { sessionId } = shown.pending;
    const waiting = { waitSeconds: HOLD_SECONDS, signal: abortedOnClose(reply, demo.closing), ...(since && { since }) };
    const state = await expiredIfUnknown(held === 'no' ? client.status(sessionId) : client.waitForChange(sessionId, waiting));
    // Another tab may have come back through the app in the meantime.
    const login = ownPageLogin(demo, request) ?? shown;
    return { ...state, scene: sceneOf(state, logins.mayComplete(login)), now: now() };
  });

  app.post('/waiting/completion', async (request, reply) => {
    const login = ownPageLogin(demo, request);
    if (!login) return noLogin(reply);
    if (!logins.mayComplete(login)) return send(reply, messagePage(MESSAGES.COME_BACK_FIRST), 403);
    try {
      return reply.redirect(await client.complete(login.pending.sessionId), 303);
    } catch (error) {
      if (error instanceof SessionConflict) return reply.redirect('/waiting', 303);
      throw error;
    }
  });

  app.get<{ Querystring: { return_token?: string } }>('/return', { schema: { querystring: RETURN_QUERY } }, async (request, reply) => {
    const login = ownPageLogin(demo, request);
    const { return_token: value = '' } = request.query;
    if (login && verifyReturnToken(login.returnValue, request.query) && returnValues.isSound(value)) {
      sessions.update(request, { ...sessions.find(request), login: { ...login, returned: true } });
      return reply.redirect('/waiting', 303);
    }
    returnValues.openedElsewhere(value);
    return send(reply, messagePage(MESSAGES.OTHER_BROWSER), 403);
  });

  app.post<{ Body: { device?: Device } | null }>('/waiting/again', { schema: { body: AGAIN_BODY } }, async (request, reply) => {
    const before = ownPageLogin(demo, request);
    if (!before) return noLogin(reply);
    await giveUp(before);
    const device = request.body?.device ?? before.device;
    const { pushTo, ...choices } = before.choices;
    const calls = pushTo !== undefined && device === 'ANOTHER_DEVICE';
    const login = await logins.begin({ ...choices, ...(calls && { pushTo }) }, device);
    sessions.renew(request, reply, { ...sessions.find(request), login });
    return reply.redirect('/waiting', 303);
  });

  app.post('/waiting/cancel', async (request, reply) => {
    const { login, ...visitor } = sessions.find(request) ?? {};
    if (login) await giveUp(login);
    sessions.renew(request, reply, visitor);
    return reply.redirect('/', 303);
  });

  const giveUp = async ({ pending }: LoginInProgress): Promise<void> => {
    await client.withdraw(pending.sessionId).catch((error: unknown) => {
      // The session has ended by itself.
      if (!(error instanceof SessionConflict) && !(error instanceof SessionNotFound)) throw error;
    });
  };
};

interface StatusQuery {
  readonly login: string;
  readonly since?: SessionStatus;
  /** `no`: answer at once, because the page lost its connection and needs the current status. */
  readonly held?: 'no';
}

const STATUS_QUERY = {
  type: 'object',
  required: ['login'],
  properties: { login: { type: 'string', maxLength: 64 }, since: { enum: ['PENDING', 'SCANNED'] }, held: { const: 'no' } },
};

const RETURN_QUERY = { type: 'object', properties: { return_token: { type: 'string', maxLength: 64 } } };

const AGAIN_BODY = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { device: { enum: ['THIS_DEVICE', 'ANOTHER_DEVICE'] } },
};

const ownPageLogin = ({ sessions }: Demo, request: FastifyRequest): LoginInProgress | undefined => {
  const login = sessions.find(request)?.login;
  return login?.choices.integration === 'OWN_PAGE' ? login : undefined;
};
