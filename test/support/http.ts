import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly method: string;
  /** Sent as it stands: nothing is normalised. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it stands; `content-type` is JSON unless `headers` say otherwise. */
  readonly raw?: string | Buffer;
  /** The address that it comes from: another one of the loopback. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is empty or no JSON. */
  readonly json: Record<string, unknown> | undefined;
}

const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxSockets: 256 }),
  'https:': new HttpsAgent({ keepAlive: true, maxSockets: 256 }),
};

/** Bytes of a body that the service may refuse without reading it; then the connection is closed behind the answer. */
const READ_IN_ANY_CASE = 65_536;

/** One request, one answer; rejects when no answer comes. Redirects are not followed. */
export const exchange = (baseUrl: string, { method, path, headers = {}, json, raw, from }: HttpRequest): Promise<Answer> => {
  const base = new URL(baseUrl);
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const secure = base.protocol === 'https:';
  const agent = body !== undefined && Buffer.byteLength(body) > READ_IN_ANY_CASE ? false : agents[secure ? 'https:' : 'http:'];
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)({
      protocol: base.protocol,
      hostname: base.hostname,
      port: base.port,
      agent,
      method,
      path: base.pathname.replace(/\/$/, '') + path,
      ...(from !== undefined && { localAddress: from }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    outgoing.setTimeout(60_000, () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) });
      });
    });
    outgoing.end(body);
  });
};

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};
