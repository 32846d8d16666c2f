import { randomUUID } from 'node:crypto';
import { loginPageUrl, type PendingLogin, RelyingPartyClient } from '@countersign/relying-party-client';
import express from 'express';

const {
  BASE_URL = 'http://localhost:3000',
  LOGIN_URL = `${BASE_URL}/login`,
  ORIGIN = 'http://localhost:3002',
  CLIENT_ID = '',
  CLIENT_SECRET = '',
} = process.env;
const client = new RelyingPartyClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const logins = new Map<string, PendingLogin>(); // In memory, for this example. Several servers need a shared store whose entries expire.

express()
  .get('/login', async (_request, response) => {
    const [id, login] = [randomUUID(), await client.beginLogin({ redirectUri: `${ORIGIN}/callback`, hostedPage: true })];
    logins.set(id, login);
    response.cookie('login', id, { httpOnly: true, sameSite: 'lax', secure: ORIGIN.startsWith('https:') });
    response.redirect(loginPageUrl(LOGIN_URL, login.handoffToken ?? ''));
  })
  .get('/callback', async (request, response) => {
    const id = /(?:^|; )login=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const login = logins.get(id);
    if (!login || !logins.delete(id)) return void response.status(400).send('No login was begun in this browser.');
    const { subjectId } = await client.finishLogin(login, request.query);
    response.type('text').send(`You are logged in as ${subjectId}.`);
  })
  .listen(Number(new URL(ORIGIN).port));
