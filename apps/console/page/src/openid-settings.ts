/** The settings of a framework, as a developer copies them. */
interface FrameworkSettings {
  readonly name: string;
  /** The path of its callback, below the address of the application: it belongs into the redirect URIs. */
  readonly callback: string;
  readonly settings: string;
}

/** The settings of six frameworks for a client of this service: docs/openid.md explains them. The secret is the one of the client, kept where the framework keeps secrets. */
export const openIdSettings = (issuer: string, clientId: string): readonly FrameworkSettings[] => [
  {
    name: 'Auth.js',
    callback: '/api/auth/callback/countersign',
    settings: `providers: [{
  id: 'countersign', name: 'Countersign', type: 'oidc',
  issuer: '${issuer}',
  clientId: '${clientId}', clientSecret: process.env.COUNTERSIGN_SECRET,
  checks: ['pkce', 'state', 'nonce'],
}]`,
  },
  {
    name: 'Passport',
    callback: '/callback',
    settings: `import * as client from 'openid-client';
import { Strategy } from 'openid-client/passport';

const config = await client.discovery(new URL('${issuer}'), '${clientId}', process.env.COUNTERSIGN_SECRET);
passport.use('countersign', new Strategy({ config, scope: 'openid profile', callbackURL }, (tokens, done) => done(null, tokens.claims())));`,
  },
  {
    name: 'oauth2-proxy',
    callback: '/oauth2/callback',
    settings: `provider = "oidc"
oidc_issuer_url = "${issuer}"
client_id = "${clientId}"
client_secret_file = "/run/secrets/countersign"
code_challenge_method = "S256"
scope = "openid"
oidc_email_claim = "sub"
email_domains = ["*"]`,
  },
  {
    name: 'Authlib',
    callback: '/callback',
    settings: `oauth.register(
    "countersign",
    client_id="${clientId}",
    client_secret=os.environ["COUNTERSIGN_SECRET"],
    server_metadata_url="${issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},
)`,
  },
  {
    name: 'Spring Security',
    callback: '/login/oauth2/code/countersign',
    settings: `spring.security.oauth2.client:
  registration.countersign:
    client-id: ${clientId}
    client-secret: \${COUNTERSIGN_SECRET}
    scope: openid, profile
  provider.countersign:
    issuer-uri: ${issuer}`,
  },
  {
    name: 'Keycloak',
    callback: '/realms/REALM/broker/countersign/endpoint',
    settings: `alias: countersign
providerId: oidc
config:
  clientId: ${clientId}
  clientAuthMethod: client_secret_basic
  issuer: ${issuer}
  authorizationUrl: ${issuer}/authorize
  tokenUrl: ${issuer}/token
  userInfoUrl: ${issuer}/userinfo
  jwksUrl: ${issuer}/jwks
  useJwksUrl: "true"
  validateSignature: "true"
  pkceEnabled: "true"
  pkceMethod: S256
  defaultScope: openid profile`,
  },
];
