/** The texts about OpenID Connect. */
export const openidLv = {
  openid: 'OpenID Connect',
  openidText: 'OpenID Connect bibliotēkai ir vajadzīgs šis izdevējs, jūsu klienta ID un noslēpums.',
  issuer: 'Izdevējs',
  requirePushed: 'Jūsu serveris katru pieprasījumu nosūta iepriekš; neviena saite nevar sākt pieteikšanos (izslēdziet, ja bibliotēka neatbalsta PAR)',
  requirePkce: 'Katram pieprasījumam ir koda pārbaudes vērtība (izslēdziet, ja bibliotēka neatbalsta PKCE)',
  dpopBound: 'Katra piekļuves pilnvara ir piesaistīta jūsu servera atslēgai, tāpēc nozagta pilnvara neko nedod (bibliotēkām ar DPoP)',
  keysAlone: 'OpenID Connect saskarnē jūsu serveris apliecina sevi tikai ar savām atslēgām, nekad ar noslēpumu (bibliotēkām ar private_key_jwt)',
  signedRequests: 'Jūsu serveris paraksta katru pieprasījumu un ievēro FAPI 2.0: atslēgas, piesaistītas pilnvaras un PS256 vai ES256',
  idTokenAlgorithm: 'ID pilnvaru algoritms',
  clientKeysText: 'Ar savām atslēgām jūsu serveris apliecina sevi bez noslēpuma. Ievadiet publiskās atslēgas vai adresi, kurā tās publicējat.',
  clientKeys: 'Publiskās atslēgas kā JWK Set',
  clientKeysAddress: 'Publicēto atslēgu adrese (jwks_uri)',
  clientKeysUnreadable: 'Atslēgas nav JSON. Nokopējiet visu JWK Set.',
  notificationAddress: 'Adrese paziņojumiem par pieteikšanos bez pārlūka, režīms ping (backchannel_client_notification_endpoint)',
  logoutAddress: 'Adrese personu atteikšanās ziņām (backchannel_logout_uri)',
  callback: 'Novirzīšanas adrese zem jūsu adreses:',
} as const;
