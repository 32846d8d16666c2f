import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';

import { Provider } from 'oidc-provider';

/**
 * A process with `oidc-provider` as a house of its own clients would set it up: no page that asks for consent, a login form that takes every name without a
 * password, everything in memory. `CLIENT` holds the client in JSON.
 */
const port = Number(process.env['PORT']);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [JSON.parse(process.env['CLIENT'] ?? '') as object],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  loadExistingGrant: async ({ oidc: { provider, client, session } }) => {
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid');
    await grant.save();
    return grant;
  },
});

provider.use(async (context, next) => {
  if (!context.path.startsWith('/interaction/')) return next();
  if (context.method === 'GET') {
    const { uid } = await provider.interactionDetails(context.req, context.res);
    context.type = 'html';
    context.body = `<!doctype html><title>Log in</title><form method="post" action="/interaction/${uid}"><input name="username"><button>Log in</button></form>`;
    return;
  }
  const accountId = new URLSearchParams(await text(context.req)).get('username') ?? '';
  await provider.interactionFinished(context.req, context.res, { login: { accountId } });
});

provider.listen(port, '127.0.0.1');
