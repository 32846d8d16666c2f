import { accepted, prefersHtml } from './accepted.js';

describe('a header of accepted values', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['et', ['et']],
    ['en;q=0.5, et, ru;q=0', ['et', 'en']],
    ['de;q=nonsense, lv ; q=0.1', ['lv']],
  ])('%j lists %j, the preferred one first', (header, values) => {
    expect(accepted(header)).toEqual(values);
  });
});

describe('the answer is HTML', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json, text/html', false],
    ['text/html;q=0.5, application/json', false],
    ['text/html;q=0, */*', false],
    ['*/*', false],
    [undefined, false],
  ])('for Accept: %s → %j', (header, html) => {
    expect(prefersHtml(header)).toBe(html);
  });
});
