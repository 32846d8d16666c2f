import { sentence, sentenceParts } from './sentence.js';

describe('a sentence with a name in it', () => {
  it('is split into texts and slots', () => {
    expect(sentenceParts('Back to {name}.')).toEqual([{ text: 'Back to ' }, { slot: 'name' }, { text: '.' }]);
  });

  it('keeps a name unchanged, with braces, markup and replacement patterns', () => {
    expect(sentence('for {name}', { name: '{name} $& <b>' })).toBe('for {name} $& <b>');
  });

  it('leaves a slot without a value empty', () => {
    expect(sentence('for {name}')).toBe('for ');
  });
});
