import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadPlatformSettings, tokenFault } from '#service/config';

import { shownTokensSource, tokensIn, tokensInDocuments } from '../src/shown-tokens.js';

const ROOT = join(import.meta.dirname, '../../..');
const GUARDED = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example',
  APP_URL: 'https://phone.example',
  PORTAL_URL: 'https://portal.example',
  FOUR_EYES: 'true',
  ANCHOR_DIR: '/mnt/checkpoints',
};

describe('the tokens that documents show', () => {
  const found = tokensInDocuments(ROOT);

  it('are found in all documents', () => {
    const folders = new Set([...found.values()].map((path) => path.split('/')[0]));
    for (const folder of ['README.md', 'docs', 'deploy', 'examples', 'docker-compose.yml']) expect(folders).toContain(folder);
  });

  it('are refused, each of them, by a guarded start', () => {
    expect(found.size).toBeGreaterThan(30);
    expect([...found.keys()].filter((token) => tokenFault(token) === undefined)).toEqual([]);
    for (const token of ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', 'e9melhoa2owvfremtjguchaoek1t8urwbugjsstw-cm='])
      expect(() => loadPlatformSettings({ ...GUARDED, ADMIN_TOKEN: token })).toThrow(
        /ADMIN_TOKEN must be of your own making: a document of this project/,
      );
  });

  it('are in the list of the service: npm run docs:generate', () => {
    expect(readFileSync(join(ROOT, 'libs/service/config/src/shown-tokens.ts'), 'utf8')).toBe(shownTokensSource(ROOT));
  });

  it.each([
    ['base64url', 'the code `E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM`.', ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM']],
    ['hexadecimal', '"6b1f0c9d3a7e5b2488d1f6093c5ae7b2"', ['6b1f0c9d3a7e5b2488d1f6093c5ae7b2']],
    [
      'a UUID',
      '/clients/7c9e6679-7425-40de-944b-e07fc1f90ae7.',
      ['/clients/7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ],
    ['any text that is given as the token', 'ADMIN_TOKEN=please-change-this-secret-in-production', ['please-change-this-secret-in-production']],
    ['any text after Bearer', `-H 'Authorization: Bearer please.change.this.secret.in.production'`, ['please.change.this.secret.in.production']],
  ])('are found as %s', (_, text, tokens) => expect(tokensIn(text)).toEqual(tokens));

  it('are no paths and no names', () => {
    expect(tokensIn('docs/adr/0109-five-words-for-the-libraries.md nodejs_eventloop_lag_p99_seconds /relying-party/v1/subject-migrations')).toEqual(
      [],
    );
  });
});
