import { DomainError, type JsonObject } from '#kernel';

import { errorCatalogue, type ErrorCode, isErrorCode } from './error-catalogue.js';
import { TransportRefusal } from './transport-refusal.js';

/** An error as it is answered, with the private part that only the log gets. */
export interface HttpRefusal {
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly detail?: string | undefined;
  readonly payload?: JsonObject | undefined;
  readonly reason?: string | undefined;
  /** An unexpected error. The log gets its class and stack. */
  readonly unexpected?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Seconds for `Retry-After` when the error names none. */
const RETRY_AFTER = 2;

export const refusalOf = (error: unknown): HttpRefusal => {
  if (error instanceof DomainError) return domainRefusal(error);
  if (error instanceof TransportRefusal) {
    const { statusCode, detail, headers } = error;
    return { status: statusCode, errorCode: 'invalid_request', detail, reason: detail, headers };
  }
  const status = statusOf(error);
  if (status === 404) return { status, errorCode: 'not_found' };
  if (status >= 400 && status < 500) {
    const detail = transportDetails[status] ?? errorCatalogue.invalid_request.text;
    return { status, errorCode: 'invalid_request', detail, reason: detail };
  }
  return { status: 500, errorCode: 'internal_error', unexpected: error };
};

const domainRefusal = (error: DomainError): HttpRefusal => {
  if (!isErrorCode(error.code)) return { status: 500, errorCode: 'internal_error', unexpected: error };
  const { code: errorCode, detail, payload, reason } = error;
  return { status: errorCatalogue[errorCode].status, errorCode, detail, payload, reason, headers: headersOf(errorCode, error) };
};

const headersOf = (code: ErrorCode, error: DomainError & { limit?: unknown; retryAfter?: unknown }): Record<string, string> => {
  const retryAfter = String(typeof error.retryAfter === 'number' ? Math.max(1, Math.ceil(error.retryAfter)) : RETRY_AFTER);
  if (code === 'service_unavailable') return { 'Retry-After': retryAfter };
  if (code !== 'rate_limited') return {};
  if (typeof error.limit !== 'number') return { 'Retry-After': retryAfter };
  return {
    'Retry-After': retryAfter,
    'RateLimit-Limit': String(error.limit),
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': retryAfter,
  };
};

/** Texts for refusals by Fastify and Nest themselves, which carry only a status. */
const transportDetails: Readonly<Record<number, string>> = {
  413: 'The body is larger than 64 KiB.',
  415: 'Send the body as JSON, with the header Content-Type: application/json.',
};

const statusOf = (error: unknown): number => {
  if (typeof error !== 'object' || error === null) return 500;
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  if (typeof statusCode === 'number') return statusCode;
  return typeof status === 'number' ? status : 500;
};
