import type { IncomingMessage } from 'node:http';
import { type Agent, request as requestHttps, type RequestOptions } from 'node:https';

import { AnchorPlace, PlaceUnavailable } from './anchor-place.js';

export interface HttpsPlaceParts {
  /** For the log: the setting that names it. */
  readonly name: string;
  /** The address before the paths, https and without a slash at its end. */
  readonly url: string;
  readonly agent: Agent;
  /** The whole Authorization header; read for each request. Absent: none is sent. */
  readonly authorization?: (() => string) | undefined;
  /** PEM: the CA of the server's certificate; read for each request. Absent: the CAs that Node trusts. */
  readonly ca?: (() => string) | undefined;
  /** Milliseconds of one request, from the connection to the last byte. Default: 10 s. */
  readonly timeout?: number;
}

const TIMEOUT = 10_000;

/** The most bytes that are read of an answer: a full bundle of leaves has some 60,000. */
const MOST = 1_048_576;

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * A server that keeps what is put under its address, on another machine than the store: PUT stores whole or not at all, GET answers, DELETE may be refused. No redirect is followed, so neither the
 * token nor the leaves reach another server.
 */
export class HttpsPlace extends AnchorPlace {
  readonly name: string;

  constructor(private readonly parts: HttpsPlaceParts) {
    super();
    this.name = parts.name;
  }

  override async read(path: string): Promise<Buffer | undefined> {
    const { status, body } = await this.#ask('GET', path);
    if (status === 404 || status === 410) return undefined;
    if (status !== 200) throw this.#refused(status);
    return body;
  }

  override async write(path: string, bytes: Buffer): Promise<void> {
    const { status } = await this.#ask('PUT', path, bytes);
    if (![200, 201, 204].includes(status)) throw this.#refused(status);
  }

  override async remove(path: string): Promise<void> {
    await this.#ask('DELETE', path).catch(() => undefined);
  }

  async #ask(method: 'GET' | 'PUT' | 'DELETE', path: string, bytes?: Buffer): Promise<Answer> {
    const { timeout = TIMEOUT } = this.parts;
    const signal = AbortSignal.timeout(timeout);
    try {
      return await this.#exchange({ method, path, bytes, signal });
    } catch (error) {
      if (error instanceof PlaceUnavailable) throw error;
      throw new PlaceUnavailable(`${this.name}: ${signal.aborted ? `no answer within ${timeout} ms` : reasonOf(error as NodeJS.ErrnoException)}`);
    }
  }

  /** Once more where the server has closed a connection that it had kept open: each of these requests may be repeated. */
  #exchange({ method, path, bytes, signal }: Request): Promise<Answer> {
    const { url, agent, authorization, ca } = this.parts;
    const headers: Record<string, string | number> = { 'accept-encoding': 'identity' };
    if (authorization) headers['authorization'] = authorization();
    if (bytes) Object.assign(headers, { 'content-type': 'application/octet-stream', 'content-length': bytes.length });
    const options: RequestOptions = { method, headers, agent, signal, ...(ca && { ca: ca() }) };
    return new Promise((resolve, reject) => {
      const request = requestHttps(`${url}/${path}`, options);
      request.on('response', (answer) => void this.#bodyOf(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject));
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') this.#exchange({ method, path, bytes, signal }).then(resolve, reject);
        else reject(error);
      });
      request.end(bytes);
    });
  }

  async #bodyOf(answer: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST) throw new PlaceUnavailable(`${this.name}: an answer of more than ${MOST} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #refused(status: number): PlaceUnavailable {
    return new PlaceUnavailable(`${this.name}: HTTP status ${status}`);
  }
}

interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly bytes: Buffer | undefined;
  readonly signal: AbortSignal;
}

/** The message of an egress proxy's failure says what to correct. */
const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => (code === 'ERR_EGRESS_PROXY' ? message : (code ?? 'the connection failed'));
