import { preferredWait } from './prefer-wait.js';

describe('Prefer: wait (RFC 7240)', () => {
  it.each([
    ['wait=10', 10],
    ['wait=0', 0],
    ['wait=31', 30],
    ['wait=999999999', 30],
    ['WAIT = "5"', 5],
    ['respond-async, wait=7', 7],
    ['wait=3; foo=bar', 3],
    ['wait=3, wait=9', 3],
    [['respond-async', 'wait=4'], 4],
    ['wait', undefined],
    ['wait=, wait=5', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=ten', undefined],
    ['waiting=5', undefined],
    ['wait=9999999999', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j asks for %p seconds', (header, seconds) => {
    expect(preferredWait(header)).toBe(seconds);
  });
});
