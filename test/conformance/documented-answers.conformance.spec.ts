import { describe, expect, it } from '@jest/globals';

import { DocumentedAnswers } from '../support/documented-answers.js';

const reference = DocumentedAnswers.ofReference();
const request = { method: 'GET', path: '/relying-party/v1/session/4711/status?timeoutMs=1' };

const faultsOf = (status: number, json: Record<string, unknown>): readonly string[] =>
  reference.faults(request, { status, json, text: JSON.stringify(json) });

const refusal = (errorCode: string): Record<string, unknown> => ({
  errorCode,
  defaultTranslation: 'text',
  resultMessageLangCode: 'en',
  payload: null,
});

describe('the check of every answer against the reference', () => {
  it('accepts an answer and a refusal as documented', () => {
    expect(faultsOf(200, { status: 'PENDING' })).toEqual([]);
    expect(faultsOf(404, refusal('session_not_found'))).toEqual([]);
  });

  it.each([
    ['a status that the operation does not have', 418, {}],
    ['a code that the operation does not have', 404, refusal('client_not_found')],
    ['a missing field', 200, {}],
    ['a field that is not documented', 200, { status: 'PENDING', secret: 'x' }],
    ['a field of another type', 200, { status: 1 }],
    ['a refusal without its envelope', 404, { errorCode: 'session_not_found' }],
  ])('finds %s', (_, status, json) => {
    expect(faultsOf(status, json)).not.toEqual([]);
  });
});
