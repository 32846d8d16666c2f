import { fileSize } from './file-size.js';

describe('the size of a file', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1240, '1.2 kB'],
    [142_000, '142 kB'],
    [2_500_000, '2.5 MB'],
    [5_000_000_000_000, '5,000 GB'],
  ])('of %d bytes is %s', (bytes, words) => {
    expect(fileSize(bytes, 'en')).toBe(words);
  });

  it('follows the language of the reader', () => {
    expect(fileSize(1240, 'de')).toBe('1,2 kB');
  });
});
