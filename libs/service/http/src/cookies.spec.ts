import { cookiesIn, theOnly } from './cookies.js';

describe('a cookie', () => {
  it.each<readonly [string | undefined, readonly string[]]>([
    ['svc=1', ['1']],
    ['a=2; svc=1;b=3', ['1']],
    ['  svc=1  ', ['1']],
    ['svc="1"', ['1']],
    ['svc=', ['']],
    ['svc=a=b', ['a=b']],
    [undefined, []],
    ['', []],
    ['svc', []],
    ['xsvc=1', []],
    ['svcx=1', []],
    ['svc=1; svc=1', ['1']],
    ['svc=1; svc=2', ['1', '2']],
    ['svc=1; svc=2; svc=3; svc=4; svc=5; svc=6; svc=7; svc=8; svc=9', ['1', '2', '3', '4', '5', '6', '7', '8']],
  ])('in %j is %j', (header, values) => {
    expect(cookiesIn(header, 'svc')).toEqual(values);
  });

  it('stands for one thing alone', () => {
    expect(theOnly<string>([])).toBeUndefined();
    expect(theOnly([undefined, 'a', undefined])).toBe('a');
    expect(theOnly(['a', 'b'])).toBeUndefined();
  });
});
