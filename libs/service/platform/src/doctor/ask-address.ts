import { type Agent as HttpAgent, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** Milliseconds that an address may take to answer. */
export const TIME_LIMIT = 10_000;

/** What an address answered, whatever its status. */
export interface Asked {
  /** The header `Date`, epoch milliseconds. */
  readonly date: number | undefined;
  /** Undefined over http. */
  readonly lifetime: { readonly from: number; readonly until: number } | undefined;
}

interface TlsOptions {
  /** PEM. Default: the CAs that Node trusts. */
  readonly ca?: string | undefined;
  /** PEM: the client's certificate and key. */
  readonly cert?: string;
  readonly key?: string;
  /** Absent: a direct connection. */
  readonly agent?: HttpAgent | undefined;
}

/** Asks for the head of an address. Rejects with the error of Node's connection. */
export const ask = (url: string, { ca, cert, key, agent }: TlsOptions = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    const send = secure ? requestHttps : requestHttp;
    const tls = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) };
    const asking = send(url, { method: 'HEAD', agent: agent ?? false, timeout: TIME_LIMIT, ...(secure && tls) });
    asking.on('timeout', () => asking.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    asking.on('error', reject);
    asking.on('response', (answer) => {
      const date = Date.parse(answer.headers.date ?? '');
      const certificate = secure ? (answer.socket as TLSSocket).getPeerCertificate() : undefined;
      answer.resume();
      resolve({
        date: Number.isNaN(date) ? undefined : date,
        lifetime: certificate && { from: Date.parse(certificate.valid_from), until: Date.parse(certificate.valid_to) },
      });
    });
    asking.end();
  });
