import { dirname } from 'node:path';

import { LANGUAGES } from '#web-page/browser';
import { catalogueFaults, readSources } from '#testkit/web-page/catalogue-faults';

import { loadMessages } from './messages.js';

describe('the texts of this page', () => {
  it('have the same keys in every language, all of them used, and none is empty', async () => {
    const texts = await Promise.all(LANGUAGES.map(async (language) => [language, await loadMessages(language)] as const));
    expect(catalogueFaults(Object.fromEntries(texts), readSources(dirname(import.meta.dirname)))).toEqual([]);
  });
});
