import { parseId } from './ids.js';

describe('parseId', () => {
  it('answers the id in lower case', () => {
    expect(parseId('F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6')).toBe('f81d4fae-7dec-11d0-a765-00a0c91e6bf6');
  });

  it.each([
    '',
    'f81d4fae7dec11d0a76500a0c91e6bf6',
    '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}',
    'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n',
    ' f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'g81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf',
    'ｆ81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    null,
    undefined,
    7,
    ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    {},
  ])('refuses %j', (text) => {
    expect(parseId(text)).toBeUndefined();
  });
});
