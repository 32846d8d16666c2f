import type { FastifyInstance, FastifyRequest } from 'fastify';

import { loginPageUrl } from '#clients/relying-party';

import type { Demo } from '../demo.js';
import type { LoginChoices } from '../demo-options.js';
import type { Device, Visitor } from '../visitor.js';
import { homePage } from '../views/home.js';
import { pageSender } from './send-page.js';

interface LoginForm {
  readonly integration: LoginChoices['integration'];
  readonly title?: string;
  readonly push?: 'yes';
  readonly attributes?: readonly string[];
  readonly predicates?: readonly string[];
}

/** The home page, and the start of a login. */
export const homeRoutes = (app: FastifyInstance, demo: Demo): void => {
  const { attributes, predicates, sessions, logins, service } = demo;
  const send = pageSender(demo);

  app.get('/', (request, reply) => send(reply, homePage({ visitor: sessions.find(request) ?? {}, attributes, predicates })));

  app.post<{ Body: LoginForm }>('/login', { schema: { body: loginForm(demo) } }, async (request, reply) => {
    const visitor = sessions.find(request) ?? {};
    const choices = choicesOf(request.body, visitor);
    const login = await logins.begin(choices, deviceOf(request, choices));
    sessions.renew(request, reply, { ...visitor, login });
    const { handoffToken } = login.pending;
    return reply.redirect(handoffToken === undefined ? '/waiting' : loginPageUrl(service.loginUrl, handoffToken), 303);
  });
};

const loginForm = ({ attributes, predicates }: Demo) => ({
  type: 'object',
  required: ['integration'],
  additionalProperties: false,
  properties: {
    integration: { enum: ['HOSTED_PAGE', 'OWN_PAGE'] },
    title: { type: 'string', maxLength: 255 },
    push: { const: 'yes' },
    attributes: { type: 'array', uniqueItems: true, items: { enum: attributes } },
    predicates: { type: 'array', uniqueItems: true, items: { enum: predicates } },
  },
});

/** The subject to call comes from our session, never from the form. */
const choicesOf = ({ integration, title = '', push, attributes = [], predicates = [] }: LoginForm, visitor: Visitor): LoginChoices => ({
  integration,
  ...(title.trim() !== '' && { title: title.trim() }),
  ...(attributes.length + predicates.length > 0 && { properties: { attributes, predicates } }),
  ...(push && visitor.knownSubjectId !== undefined && { pushTo: visitor.knownSubjectId }),
});

/** A phone's browser most likely has the app on the same device; a push reaches the app on any device. */
const deviceOf = ({ headers }: FastifyRequest, { pushTo }: LoginChoices): Device => {
  const onPhone = headers['sec-ch-ua-mobile'] === '?1' || /\b(Mobile|Android|iPhone)\b/.test(headers['user-agent'] ?? '');
  return onPhone && pushTo === undefined ? 'THIS_DEVICE' : 'ANOTHER_DEVICE';
};
