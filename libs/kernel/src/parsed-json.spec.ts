import { describe, expect, it } from '@jest/globals';

import { parsedJson, parsedObject } from './parsed-json.js';

describe('a JSON text', () => {
  it.each([
    ['{"a":1}', { a: 1 }, { a: 1 }],
    ['[1]', [1], undefined],
    ['null', null, undefined],
    ['"text"', 'text', undefined],
    ['', undefined, undefined],
    ['{', undefined, undefined],
    ['{"a":1} ', { a: 1 }, { a: 1 }],
    ['undefined', undefined, undefined],
  ])('%j is read, or is none', (text, value, object) => {
    expect(parsedJson(text)).toEqual(value);
    expect(parsedObject(text)).toEqual(object);
  });
});
