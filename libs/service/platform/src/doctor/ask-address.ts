import { type Agent as HttpAgent, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** Milliseconds that an address may take to answer. */
export const TIME_LIMIT = 10_000;

/** Bytes that are read of an answer. */
const READ = 262_144;

/** What an address answered, whatever its status. */
export interface Asked {
  readonly status: number;
  /** `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** The beginning of the body. Empty for the head of an address. */
  readonly text: string;
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
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a caller claims of itself. A proxy that passes it on as it is lets callers choose their name, and the running service tells of it. */
export const FORGED = { 'x-forwarded-for': 'unknown' };

/** Asks for the head of an address. Rejects with the error of Node's connection. */
export const ask = (url: string, options: TlsOptions = {}): Promise<Asked> => send('HEAD', url, options);

/** Asks for an address, as a program does that takes no coded answer. Rejects with the error of Node's connection. */
export const read = (url: string, options: TlsOptions = {}): Promise<Asked> => send('GET', url, options);

const send = (method: 'HEAD' | 'GET', url: string, { ca, cert, key, agent, headers }: TlsOptions): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    const begin = secure ? requestHttps : requestHttp;
    const tls = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) };
    const asking = begin(url, { method, ...(headers && { headers }), agent: agent ?? false, timeout: TIME_LIMIT, ...(secure && tls) });
    asking.on('timeout', () => asking.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    asking.on('error', reject);
    asking.on('response', (answer) => {
      const date = Date.parse(answer.headers.date ?? '');
      const certificate = secure ? (answer.socket as TLSSocket).getPeerCertificate() : undefined;
      const asked = {
        status: answer.statusCode ?? 0,
        challenge: answer.headers['www-authenticate'],
        date: Number.isNaN(date) ? undefined : date,
        lifetime: certificate && { from: Date.parse(certificate.valid_from), until: Date.parse(certificate.valid_to) },
      };
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < READ) text += part;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ ...asked, text }));
    });
    asking.end();
  });
