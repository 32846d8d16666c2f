/** The texts about OpenID Connect. */
export const openidRu = {
  openid: 'OpenID Connect',
  openidText: 'Библиотеке OpenID Connect нужны этот издатель, ваш ID клиента и секрет.',
  issuer: 'Издатель',
  requirePushed: 'Ваш сервер заранее отправляет каждый запрос; никакая ссылка не может начать вход (выключите для библиотек без PAR)',
  requirePkce: 'У каждого запроса есть проверка кода (выключите для библиотек без PKCE)',
  dpopBound: 'Каждый токен доступа привязан к ключу вашего сервера, поэтому украденный бесполезен (для библиотек с DPoP)',
  keysAlone: 'В OpenID Connect ваш сервер подтверждает себя только своими ключами, но не секретом (для библиотек с private_key_jwt)',
  signedRequests: 'Ваш сервер подписывает каждый запрос и соблюдает FAPI 2.0: ключи, привязанные токены, PS256 или ES256',
  idTokenAlgorithm: 'Алгоритм ID-токенов',
  clientKeysText: 'Со своими ключами ваш сервер подтверждает себя без секрета. Введите открытые ключи или адрес, по которому вы их публикуете.',
  clientKeys: 'Открытые ключи в виде JWK Set',
  clientKeysAddress: 'Адрес опубликованных ключей (jwks_uri)',
  clientKeysUnreadable: 'Ключи не в формате JSON. Скопируйте весь JWK Set.',
  notificationAddress: 'Адрес для уведомлений о входах без браузера, режим ping (backchannel_client_notification_endpoint)',
  logoutAddress: 'Адрес для выходов пользователей (backchannel_logout_uri)',
  callback: 'Адрес перенаправления под вашим собственным адресом:',
} as const;
