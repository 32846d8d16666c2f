/** The texts about OpenID Connect. */
export const openidLt = {
  openid: 'OpenID Connect',
  openidText: 'OpenID Connect bibliotekai reikia šio išdavėjo, jūsų kliento ID ir paslapties.',
  issuer: 'Išdavėjas',
  requirePushed:
    'Jūsų serveris kiekvieną užklausą išsiunčia iš anksto; jokia nuoroda negali pradėti prisijungimo (išjunkite, jei biblioteka nepalaiko PAR)',
  requirePkce: 'Kiekviena užklausa turi kodo iššūkį (išjunkite, jei biblioteka nepalaiko PKCE)',
  dpopBound: 'Kiekvienas prieigos žetonas susietas su jūsų serverio raktu, todėl pavogtas nieko neduoda (bibliotekoms su DPoP)',
  keysAlone: 'OpenID Connect sąsajoje jūsų serveris įrodo, kas jis yra, tik savo raktais, niekada paslaptimi (bibliotekoms su private_key_jwt)',
  signedRequests: 'Jūsų serveris pasirašo kiekvieną užklausą ir laikosi FAPI 2.0: raktai, susieti žetonai ir PS256 arba ES256',
  idTokenAlgorithm: 'ID žetonų algoritmas',
  clientKeysText: 'Savo raktais jūsų serveris įrodo, kas jis yra, be paslapties. Įveskite viešuosius raktus arba adresą, kuriuo juos skelbiate.',
  clientKeys: 'Viešieji raktai kaip JWK Set',
  clientKeysAddress: 'Skelbiamų raktų adresas (jwks_uri)',
  clientKeysUnreadable: 'Raktai nėra JSON. Nukopijuokite visą JWK Set.',
  notificationAddress: 'Adresas pranešimams apie prisijungimus be naršyklės, režimas ping (backchannel_client_notification_endpoint)',
  logoutAddress: 'Adresas asmenų atsijungimams (backchannel_logout_uri)',
  callback: 'Nukreipimo adresas po jūsų adresu:',
} as const;
