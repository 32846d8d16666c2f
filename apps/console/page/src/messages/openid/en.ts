/** The texts about OpenID Connect. */
export const openidEn = {
  openid: 'OpenID Connect',
  openidText: 'A library of OpenID Connect needs this issuer, your client ID and your secret.',
  issuer: 'Issuer',
  requirePushed: 'Your server pushes each request; no link can begin a login (switch it off for libraries without PAR)',
  requirePkce: 'Each request has a code challenge (switch it off for libraries without PKCE)',
  dpopBound: 'Each access token is bound to a key of your server, so that a stolen one is of no use (for libraries with DPoP)',
  keysAlone: 'At OpenID Connect your server proves itself by its keys alone, never by the secret (for libraries with private_key_jwt)',
  signedRequests: 'Your server signs each request, and keeps to FAPI 2.0: with keys, bound tokens, and PS256 or ES256',
  idTokenAlgorithm: 'Algorithm of ID tokens',
  clientKeysText:
    'With keys of its own your server proves itself without the secret. Enter the public keys, or the address at which you publish them.',
  clientKeys: 'Public keys, as a JWK Set',
  clientKeysAddress: 'Address of the published keys (jwks_uri)',
  clientKeysUnreadable: 'The keys are no JSON. Copy the whole JWK Set.',
  notificationAddress: 'Address for notifications of logins without a browser, mode ping (backchannel_client_notification_endpoint)',
  logoutAddress: 'Address for log-outs of persons (backchannel_logout_uri)',
  callback: 'Redirect URI, below your own address:',
} as const;
