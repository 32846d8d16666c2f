import { sentence, sentenceParts } from './sentence.js';

describe('a sentence with a name in it', () => {
  it('falls apart into words and slots', () => {
    expect(sentenceParts('Back to {name}.')).toEqual([{ text: 'Back to ' }, { slot: 'name' }, { text: '.' }]);
  });

  it('takes a name as it is, braces, markup and replacement patterns included', () => {
    expect(sentence('for {name}', { name: '{name} $& <b>' })).toBe('for {name} $& <b>');
  });

  it('leaves a slot empty that nobody fills', () => {
    expect(sentence('for {name}')).toBe('for ');
  });
});
