import type { FastifyInstance, FastifyRequest } from 'fastify';

import { InvalidRequest, SessionConflict, SessionNotFound } from '#clients/relying-party';

import type { Demo } from '../demo.js';
import type { SigningInProgress } from '../visitor.js';
import { MESSAGES, messagePage } from '../views/message.js';
import { signPage } from '../views/sign.js';
import { signingPage, signingSceneOf } from '../views/signing.js';
import { abortedOnClose, HOLD_SECONDS, expiredIfUnknown } from './long-poll.js';
import { pageSender } from './send-page.js';

interface SignForm {
  readonly sha512: string;
  readonly name: string;
  readonly size: number;
  readonly title?: string;
}

/** Has a document signed without receiving it: the page sends name, size and hash, and gets the container. */
export const signingRoutes = (app: FastifyInstance, demo: Demo): void => {
  const { client, sessions, signings, service, now } = demo;
  const send = pageSender(demo);
  const signingOf = (request: FastifyRequest): SigningInProgress | undefined => sessions.find(request)?.signing;

  app.get('/sign', (_request, reply) => send(reply, signPage()));

  app.post<{ Body: SignForm }>('/sign', { schema: { body: SIGN_FORM } }, async (request, reply) => {
    const { sha512, name, size, title = '' } = request.body;
    try {
      const signing = await signings.begin({ sha512, name, size, ...(title.trim() !== '' && { title: title.trim() }) });
      sessions.renew(request, reply, { ...sessions.find(request), signing });
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      return send(reply, messagePage(MESSAGES.NOT_SIGNABLE), MESSAGES.NOT_SIGNABLE.status);
    }
    return reply.redirect('/signing', 303);
  });

  app.get('/signing', async (request, reply) => {
    const signing = signingOf(request);
    if (!signing) return reply.redirect('/sign', 303);
    const state = await expiredIfUnknown(client.status(signing.pending.sessionId));
    return send(
      reply,
      signingPage({
        signing,
        state,
        payload: signings.payload(signing),
        verificationCode: signing.pending.verificationCode,
        appUrl: service.appUrl,
        now: now(),
      }),
    );
  });

  app.get<{ Querystring: StatusQuery }>('/signing/status', { schema: { querystring: STATUS_QUERY } }, async (request, reply) => {
    const signing = signingOf(request);
    const { signing: shown, since, held } = request.query;
    if (signing?.signingId !== shown) return { scene: 'ELSEWHERE' };
    const waiting = { waitSeconds: held === 'no' ? 0 : HOLD_SECONDS, signal: abortedOnClose(reply, demo.closing), ...(since && { since }) };
    const state = await expiredIfUnknown(client.waitForChange(signing.pending.sessionId, waiting));
    return { ...state, scene: signingSceneOf(state), now: now() };
  });

  app.get('/signing/container', async (request, reply) => {
    const signing = signingOf(request);
    if (!signing) return send(reply, messagePage(MESSAGES.NO_SIGNING), MESSAGES.NO_SIGNING.status);
    try {
      const { container } = await signings.result(signing);
      return await reply.type('application/vnd.etsi.asic-e+zip').header('content-disposition', 'attachment').send(Buffer.from(container));
    } catch (error) {
      if (!(error instanceof SessionNotFound) && !(error instanceof SessionConflict)) throw error;
      return send(reply, messagePage(MESSAGES.NO_SIGNING), MESSAGES.NO_SIGNING.status);
    }
  });

  app.post('/signing/cancel', async (request, reply) => {
    const { signing, ...visitor } = sessions.find(request) ?? {};
    if (signing) {
      await client.withdraw(signing.pending.sessionId).catch((error: unknown) => {
        // The session has ended by itself, or the container is being built.
        if (!(error instanceof SessionConflict) && !(error instanceof SessionNotFound)) throw error;
      });
    }
    sessions.renew(request, reply, visitor);
    return reply.redirect('/sign', 303);
  });
};

const SIGN_FORM = {
  type: 'object',
  required: ['sha512', 'name', 'size'],
  additionalProperties: false,
  properties: {
    sha512: { type: 'string', pattern: '^[0-9a-f]{128}$' },
    name: { type: 'string', minLength: 1, maxLength: 255 },
    size: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    title: { type: 'string', maxLength: 255 },
  },
};

interface StatusQuery {
  readonly signing: string;
  readonly since?: 'PENDING' | 'SCANNED';
  readonly held?: 'no';
}

const STATUS_QUERY = {
  type: 'object',
  required: ['signing'],
  properties: { signing: { type: 'string', maxLength: 64 }, since: { enum: ['PENDING', 'SCANNED'] }, held: { const: 'no' } },
};
