const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value of the Authorization header (RFC 7617, UTF-8). Throws a TypeError, without the secret in it. */
export const basicCredential = (clientId: string, clientSecret: string): string => {
  if (!UUID.test(clientId)) throw new TypeError('clientId must be a UUID');
  if (clientSecret === '') throw new TypeError('clientSecret is empty');
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
};
