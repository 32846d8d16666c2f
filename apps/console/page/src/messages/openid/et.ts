/** The texts about OpenID Connect. */
export const openidEt = {
  openid: 'OpenID Connect',
  openidText: 'OpenID Connecti teek vajab seda väljastajat, sinu kliendi ID-d ja saladust.',
  issuer: 'Väljastaja',
  requirePushed: 'Sinu server saadab iga päringu ette; ükski link ei saa sisselogimist alustada (lülita välja, kui teek ei toeta PAR-i)',
  requirePkce: 'Igal päringul on koodi kontrollväärtus (lülita välja, kui teek ei toeta PKCE-d)',
  dpopBound: 'Iga juurdepääsutõend on seotud sinu serveri võtmega, nii et varastatud tõendist ei ole kasu (DPoP-i toetavatele teekidele)',
  keysAlone: 'OpenID Connectis tõendab sinu server end ainult oma võtmetega, mitte kunagi saladusega (private_key_jwt-d toetavatele teekidele)',
  signedRequests: 'Sinu server allkirjastab iga päringu ja järgib FAPI 2.0 reegleid: võtmed, seotud tõendid ning PS256 või ES256',
  idTokenAlgorithm: 'ID-tõendite algoritm',
  clientKeysText: 'Oma võtmetega tõendab sinu server end ilma saladuseta. Sisesta avalikud võtmed või aadress, kus sa need avaldad.',
  clientKeys: 'Avalikud võtmed JWK Setina',
  clientKeysAddress: 'Avaldatud võtmete aadress (jwks_uri)',
  clientKeysUnreadable: 'Võtmed ei ole JSON. Kopeeri kogu JWK Set.',
  notificationAddress: 'Aadress, kuhu saadetakse teated brauserita sisselogimistest, režiim ping (backchannel_client_notification_endpoint)',
  logoutAddress: 'Aadress, kuhu saadetakse inimeste väljalogimised (backchannel_logout_uri)',
  callback: 'Tagasisuunamise aadress sinu enda aadressi all:',
} as const;
