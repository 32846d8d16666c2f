import type { IncomingMessage } from 'node:http';

import { type ExchangeFault, GuardedExchange, type ExchangeOptions } from './guarded-exchange.js';

/** The document, or why there is none: no answer, another status than 200, or a body that is too long or broke off. Never holds text of the host but the document. */
export type GetOutcome = { readonly document: Buffer } | ExchangeFault | { readonly error: 'refused' | 'too_long' | 'broken_off' };

export type GetOptions = Pick<ExchangeOptions, 'networks' | 'resolve' | 'egress'> & Partial<Pick<ExchangeOptions, 'connectTimeout' | 'timeout'>>;

/** Somebody waits for the document. */
const CONNECT_TIMEOUT = 2_000;
const TIMEOUT = 4_000;
/** Bytes. */
const LONGEST_DOCUMENT = 65_536;

/** Fetches small documents from URLs that clients chose, by {@link GuardedExchange}: one connection each, no redirect, at most 64 KiB. */
export class GuardedGet {
  readonly #exchange: GuardedExchange;

  constructor({ connectTimeout = CONNECT_TIMEOUT, timeout = TIMEOUT, ...options }: GetOptions) {
    this.#exchange = new GuardedExchange({ ...options, connectTimeout, timeout });
  }

  /** Never rejects. */
  read(url: string): Promise<GetOutcome> {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    return this.#exchange.run<GetOutcome>({ method: 'GET', url, headers }, readDocument);
  }

  close(): void {
    this.#exchange.close();
  }
}

const readDocument = (answer: IncomingMessage, done: (outcome: GetOutcome) => void): void => {
  const chunks: Buffer[] = [];
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_DOCUMENT) answer.destroy();
  });
  answer.once('error', () => undefined);
  answer.once('close', () => {
    if (answer.statusCode !== 200) return done({ error: 'refused' });
    if (length > LONGEST_DOCUMENT) return done({ error: 'too_long' });
    done(answer.complete ? { document: Buffer.concat(chunks) } : { error: 'broken_off' });
  });
  if (answer.statusCode !== 200) answer.destroy();
};
