import { dirname } from 'node:path';

import { catalogueFaults, readSources } from '#testkit/web-page/catalogue-faults';

import { LANGUAGE_NAMES, MESSAGES } from './messages.js';

describe('the texts of the welcome page', () => {
  it('are there in every language', () => {
    expect(Object.keys(MESSAGES).sort()).toEqual(Object.keys(LANGUAGE_NAMES).sort());
  });

  it('have the same keys in every language, all of them used, and none is empty', () => {
    expect(catalogueFaults(MESSAGES, readSources(dirname(import.meta.dirname)))).toEqual([]);
  });
});
