import { RelyingPartyClient } from '@countersign/relying-party';
import { countersignLogin, personOf } from '@countersign/relying-party/fastify';
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { fastify } from 'fastify';

const {
  BASE_URL = 'http://localhost:3000',
  LOGIN_URL = `${BASE_URL}/login`,
  ORIGIN = 'http://localhost:3002',
  CLIENT_ID = '',
  CLIENT_SECRET = '',
  SESSION_SECRET = '',
} = process.env;
const client = new RelyingPartyClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const cookie = { sameSite: 'lax', secure: ORIGIN.startsWith('https:') } as const;

const app = fastify();
await app.register(fastifyCookie);
await app.register(fastifySession, { secret: SESSION_SECRET, saveUninitialized: false, cookie }); // In memory, for this example. Several servers need a shared store.
await app.register(countersignLogin, { client, loginUrl: LOGIN_URL, origin: ORIGIN });
app.get('/', async (request) => {
  const person = personOf(request);
  return person ? `You are logged in as ${person.subjectId}.` : 'You are not logged in.';
});
await app.listen({ port: Number(new URL(ORIGIN).port), host: 'localhost' });
