import type { JsonObject } from '#kernel';

import { errorCatalogue, type ErrorCode } from './error-catalogue.js';

/** The body of every error answer, except the 401 of Basic authentication (specification/conventions.md#error-envelope). */
export interface ErrorEnvelope {
  readonly errorCode: ErrorCode;
  readonly defaultTranslation: string;
  readonly resultMessageLangCode: 'en';
  readonly payload: JsonObject | null;
}

export const errorEnvelope = (errorCode: ErrorCode, detail?: string, payload?: JsonObject): ErrorEnvelope => ({
  errorCode,
  defaultTranslation: detail ?? errorCatalogue[errorCode].text,
  resultMessageLangCode: 'en',
  payload: payload ?? null,
});
