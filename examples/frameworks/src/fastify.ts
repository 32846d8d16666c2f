import { randomUUID } from 'node:crypto';
import { type CallbackQuery, loginPageUrl, type PendingLogin, RelyingPartyClient } from '@countersign/relying-party-client';
import { fastify } from 'fastify';

const {
  BASE_URL = 'http://localhost:3000',
  LOGIN_URL = `${BASE_URL}/login`,
  ORIGIN = 'http://localhost:3002',
  CLIENT_ID = '',
  CLIENT_SECRET = '',
} = process.env;
const client = new RelyingPartyClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const logins = new Map<string, PendingLogin>(); // In memory, for this example. Several servers need a shared store whose entries expire.

const app = fastify();
app.get('/login', async (_request, reply) => {
  const [id, login] = [randomUUID(), await client.beginLogin({ redirectUri: `${ORIGIN}/callback`, hostedPage: true })];
  logins.set(id, login);
  reply.header('set-cookie', `login=${id}; HttpOnly; SameSite=Lax${ORIGIN.startsWith('https:') ? '; Secure' : ''}`);
  return reply.redirect(loginPageUrl(LOGIN_URL, login.handoffToken ?? ''));
});
app.get<{ Querystring: CallbackQuery }>('/callback', async (request, reply) => {
  const id = /(?:^|; )login=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const login = logins.get(id);
  if (!login || !logins.delete(id)) return reply.code(400).send('No login was begun in this browser.');
  const { subjectId } = await client.finishLogin(login, request.query);
  return `You are logged in as ${subjectId}.`;
});
await app.listen({ port: Number(new URL(ORIGIN).port), host: 'localhost' });
