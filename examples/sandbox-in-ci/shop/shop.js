import { RelyingPartyClient } from '@countersign/relying-party';
import { countersignLogin, personOf } from '@countersign/relying-party/express';
import express from 'express';
import session from 'express-session';

/** The application whose login is tested: a server of Express. */
export const shop = ({ baseUrl, loginUrl, clientId, clientSecret, origin }) =>
  express()
    .use(session({ secret: 'a secret of this application, for its cookies', resave: false, saveUninitialized: false }))
    .use(countersignLogin({ client: new RelyingPartyClient({ baseUrl, clientId, clientSecret }), loginUrl, origin }))
    .get('/', (request, response) => {
      response.type('text').send(personOf(request)?.subjectId ?? 'not logged in');
    });
