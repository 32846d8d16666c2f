import { RelyingPartyClient } from '@countersign/relying-party';
import { countersignLogin, personOf } from '@countersign/relying-party/express';
import express from 'express';
import session from 'express-session';

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

express()
  .use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie })) // In memory, for this example. Several servers need a shared store.
  .use(countersignLogin({ client, loginUrl: LOGIN_URL, origin: ORIGIN }))
  .get('/', (request, response) => {
    const person = personOf(request);
    response.type('text').send(person ? `You are logged in as ${person.subjectId}.` : 'You are not logged in.');
  })
  .listen(Number(new URL(ORIGIN).port));
