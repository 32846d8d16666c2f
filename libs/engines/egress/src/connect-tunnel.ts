import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIPv6, type Socket } from 'node:net';

import { EgressProxyFailed, TargetUnreached } from './egress-errors.js';

export interface TunnelRequest {
  /** The proxy's address, http or https. */
  readonly proxy: URL;
  /** `user:password` */
  readonly login?: string | undefined;
  /** PEM: the CA of the proxy's certificate, in place of those that Node trusts. */
  readonly ca?: string | undefined;
  /** A name or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

const MAX_HEADERS = 16_384;
/** By these a proxy says that the target, and not itself, gave no connection. */
const TARGET_FAULTS: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * A connection to the target through the proxy, by CONNECT (RFC 9110 §9.3.6). The answer of the proxy to it is never taken for one of the target. Rejects with
 * {@link TargetUnreached}, with {@link EgressProxyFailed}, and as `signal` says.
 */
export const connectTunnel = ({ proxy, login, ca, host, port, signal }: TunnelRequest): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const secure = proxy.protocol === 'https:';
    const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const asking = (secure ? requestTls : requestPlain)({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (secure ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(login !== undefined && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }) },
      agent: false,
      maxHeaderSize: MAX_HEADERS,
      signal,
      ...(secure && ca !== undefined && { ca }),
    });
    asking.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(faultOf(statusCode));
    });
    asking.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        signal.aborted ? error : new EgressProxyFailed(`the egress proxy cannot be reached (${error.code ?? 'unknown error'})`, { cause: error }),
      ),
    );
    asking.end();
  });

const faultOf = (status: number): Error => {
  if (TARGET_FAULTS.has(status)) return new TargetUnreached(`the egress proxy does not reach the target (${status})`);
  const remedy = status === 407 ? 'it wants a login: correct EGRESS_PROXY_LOGIN_FILE' : 'allow the service its targets there';
  return new EgressProxyFailed(`the egress proxy refuses the connection with ${status}: ${remedy}`);
};
