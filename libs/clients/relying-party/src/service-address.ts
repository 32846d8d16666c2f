const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the host of an address is this machine, as the address writes it. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * The service's address without a slash at its end. Throws a TypeError for one that credentials should not be sent to:
 * HTTP Basic needs TLS (RFC 6749 section 2.3.1).
 */
export const serviceAddress = (baseUrl: string, allowPlainHttp: boolean): string => {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl must be an absolute address');
  const { protocol, hostname, username, password, search, hash } = new URL(baseUrl);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must be an https address');
  if (protocol === 'http:' && !allowPlainHttp && !isLoopback(hostname)) {
    throw new TypeError('baseUrl must be https beyond loopback; allowPlainHttp says otherwise');
  }
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new TypeError('baseUrl must hold neither user info nor a query nor a fragment');
  }
  return baseUrl.replace(/\/+$/, '');
};
