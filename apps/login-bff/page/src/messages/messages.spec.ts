import { dirname } from 'node:path';

import { LANGUAGES } from '#web-page/browser';
import { catalogueFaults, readSources } from '#web-page/testing';

import { MESSAGES } from './messages.js';

describe('the texts of this page', () => {
  it('are there in every language', () => {
    expect(Object.keys(MESSAGES).sort()).toEqual([...LANGUAGES].sort());
  });

  it('have the same keys in every language, all of them used, and none is empty', () => {
    expect(catalogueFaults(MESSAGES, readSources(dirname(import.meta.dirname)))).toEqual([]);
  });
});
