import { describe, expect, it } from '@jest/globals';

import { InvalidSettings } from '#service/config';

import { parseStoredJson } from '../src/parse-stored-json.js';

describe('a stored JSON file', () => {
  it('is parsed', () => {
    expect(parseStoredJson('data/demo.json', '{"clientId":"c"}')).toEqual({ clientId: 'c' });
  });

  it.each(['', '{', 'x'])('is refused by its path when it is damaged: %j', (content) => {
    expect(() => parseStoredJson('data/demo.json', content)).toThrow(InvalidSettings);
    expect(() => parseStoredJson('data/demo.json', content)).toThrow('DATA_DIR holds data/demo.json, which is not valid JSON.');
  });
});
