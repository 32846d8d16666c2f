import { describe, expect, it } from '@jest/globals';

import { en } from '../messages/en.js';
import { inboxSentence, kindOf, wordsOf } from './request-kind.js';

describe('a request on the phone', () => {
  it.each([
    ['a login', { signatureType: 'AUTHENTICATION' as const }, 'asks you to log in', 'to log in to {name}', 'Confirm', true],
    ['a signature', { signatureType: 'SIGNING' as const }, 'asks you to sign a document', 'to sign for {name}', 'Sign', true],
    [
      'the approval of a change, which shares nothing',
      { signatureType: 'AUTHENTICATION' as const, details: 'Shop: new redirect URI' },
      'asks you to approve a change',
      'to approve the change at {name}',
      'Confirm',
      false,
    ],
  ])('is named for what it is: %s', (_, request, asks, pinFor, yes, sharesSomething) => {
    expect(wordsOf(kindOf(request), en)).toEqual({ asks, pinFor, yes, sharesSomething });
  });

  it.each([
    ['a login', { signing: false, change: false }, '{name} asks you to log in'],
    ['a signature', { signing: true, change: false }, '{name} asks for your signature'],
    ['the approval of a change', { signing: false, change: true }, '{name} asks you to approve a change'],
    ['of a service that does not tell', {}, '{name} asks you to log in'],
  ])('is named in the inbox for what it is: %s', (_, request, sentence) => {
    expect(inboxSentence(request, en)).toBe(sentence);
  });
});
