import { type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https';

import { inSpan, traceHeaders } from '#kernel';

/** The credentials of a client at a trust service. Each is optional. */
export interface ClientCredentials {
  /** The whole Authorization header. */
  readonly authorization?: string | undefined;
  /** PEM, for mutual TLS. */
  readonly certificate?: string | undefined;
  readonly privateKey?: string | undefined;
}

/** The way out of the network. Absent: direct connections. */
export interface Egress {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
}

export interface ExchangeRequest {
  readonly url: string;
  /** Absent: GET. */
  readonly body?: Buffer;
  readonly contentType?: string;
  /** The content type that the answer must have; absent: any. */
  readonly accept?: string;
  /** The most bytes that are read of the answer. */
  readonly limit: number;
  /** Milliseconds for everything from the connection to the last byte. */
  readonly timeout: number;
  readonly credentials?: ClientCredentials | undefined;
  /** PEM: the roots of TLS, in place of those of Node. */
  readonly tlsRoots?: string | undefined;
  readonly egress?: Egress | undefined;
  /** The status of a good answer. Default 200. */
  readonly status?: number;
  /** The peer's reason in the body of any other answer. */
  readonly reasonIn?: (body: Buffer) => string | undefined;
}

/** No usable answer came. `repeat` tells whether asking again may help. */
export class ExchangeFailed extends Error {
  constructor(
    message: string,
    readonly repeat: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ExchangeFailed';
  }
}

/** One request to a trust service: no redirects, a bounded answer, a bounded time. Throws {@link ExchangeFailed}. */
export const exchange = (request: ExchangeRequest): Promise<Buffer> =>
  inSpan(
    () => ({ name: request.body ? 'POST' : 'GET', kind: 'client', attributes: { 'server.address': URL.parse(request.url)?.host ?? '' } }),
    () => exchangeOnce(request),
  );

const exchangeOnce = async (request: ExchangeRequest): Promise<Buffer> => {
  const signal = AbortSignal.timeout(request.timeout);
  try {
    return await readAnswer(await send(request, signal), request);
  } catch (error) {
    if (error instanceof ExchangeFailed) throw error;
    const reason = signal.aborted ? `no answer within ${request.timeout} ms` : reasonOf(error as NodeJS.ErrnoException);
    throw new ExchangeFailed(reason, true, { cause: error });
  }
};

/** The message of an egress proxy's failure says what to correct. */
const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => (code === 'ERR_EGRESS_PROXY' ? message : (code ?? 'connection failed'));

const send = ({ url, body, contentType, accept, credentials, tlsRoots, egress }: ExchangeRequest, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = { ...traceHeaders(), ...(accept && { accept }) };
    if (body) headers['content-length'] = body.length;
    if (contentType) headers['content-type'] = contentType;
    if (credentials?.authorization) headers['authorization'] = credentials.authorization;
    const secure = URL.parse(url)?.protocol === 'https:';
    const client = secure ? requestHttps : requestHttp;
    const { certificate: cert, privateKey: key } = credentials ?? {};
    const options = { method: body ? 'POST' : 'GET', headers, signal, cert, key, ...(tlsRoots !== undefined && { ca: tlsRoots }) };
    const agent = egress?.[secure ? 'https:' : 'http:'];
    client(url, { ...options, ...(agent && { agent }) })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });

const readAnswer = async (answer: IncomingMessage, { accept, limit, status = 200, reasonIn }: ExchangeRequest): Promise<Buffer> => {
  const refuse = (message: string, repeat: boolean): never => {
    answer.destroy();
    throw new ExchangeFailed(message, repeat);
  };
  const { statusCode = 0 } = answer;
  if (statusCode !== status) {
    const reason = reasonIn?.(await readBody(answer, limit, refuse));
    const isPassing = statusCode >= 500 || statusCode === 429;
    refuse(`HTTP status ${statusCode}${reason === undefined ? '' : `: ${reason}`}`, isPassing && !asksToWait(answer));
  }
  const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (accept && type !== accept) refuse(`content type ${JSON.stringify(type?.slice(0, 64))} instead of ${accept}`, false);
  return readBody(answer, limit, refuse);
};

/** A peer that names a time by `Retry-After` (RFC 9110 §10.2.3) is not asked again by the same call, which cannot wait so long. */
const asksToWait = ({ headers }: IncomingMessage): boolean => (headers['retry-after'] ?? '0') !== '0';

const readBody = async (answer: IncomingMessage, limit: number, refuse: (message: string, repeat: boolean) => never): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) refuse(`an answer of more than ${limit} bytes`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
