/** The texts about OpenID Connect. */
export const openidDe = {
  openid: 'OpenID Connect',
  openidText: 'Eine Bibliothek für OpenID Connect braucht diesen Aussteller, Ihre Client-ID und Ihr Geheimnis.',
  issuer: 'Aussteller',
  requirePushed: 'Ihr Server schickt jede Anfrage voraus; kein Link kann eine Anmeldung beginnen (ausschalten für Bibliotheken ohne PAR)',
  requirePkce: 'Jede Anfrage hat eine Code-Challenge (ausschalten für Bibliotheken ohne PKCE)',
  dpopBound: 'Jedes Access-Token ist an einen Schlüssel Ihres Servers gebunden, sodass ein gestohlenes nichts nützt (für Bibliotheken mit DPoP)',
  keysAlone: 'Ihr Server weist sich bei OpenID Connect nur mit seinen Schlüsseln aus, nie mit dem Geheimnis (für Bibliotheken mit private_key_jwt)',
  signedRequests: 'Ihr Server signiert jede Anfrage und hält FAPI 2.0 ein: mit Schlüsseln, gebundenen Tokens und PS256 oder ES256',
  idTokenAlgorithm: 'Algorithmus der ID-Tokens',
  clientKeysText:
    'Mit eigenen Schlüsseln weist sich Ihr Server ohne das Geheimnis aus. Geben Sie die öffentlichen Schlüssel ein oder die Adresse, unter der Sie sie veröffentlichen.',
  clientKeys: 'Öffentliche Schlüssel als JWK Set',
  clientKeysAddress: 'Adresse der veröffentlichten Schlüssel (jwks_uri)',
  clientKeysUnreadable: 'Die Schlüssel sind kein JSON. Kopieren Sie das ganze JWK Set.',
  notificationAddress: 'Adresse für Nachrichten über Anmeldungen ohne Browser, Modus ping (backchannel_client_notification_endpoint)',
  logoutAddress: 'Adresse für Abmeldungen von Personen (backchannel_logout_uri)',
  callback: 'Redirect-URI unter Ihrer eigenen Adresse:',
} as const;
