import { RecentlyMade } from './recently-made.js';

describe('what was made recently', () => {
  it('is not made again', () => {
    const numbers = new RecentlyMade<object>(2);
    const one = numbers.get('1', () => ({}));
    expect(numbers.get('1', () => ({}))).toBe(one);
  });

  it('stays as long as it is asked for', () => {
    const numbers = new RecentlyMade<object>(2);
    const one = numbers.get('1', () => ({}));
    for (let number = 2; number < 20; number++) {
      numbers.get(`${number}`, () => ({}));
      expect(numbers.get('1', () => ({}))).toBe(one);
    }
  });

  it('is forgotten when twice as many came after it', () => {
    const numbers = new RecentlyMade<object>(2);
    const one = numbers.get('1', () => ({}));
    for (let number = 2; number < 7; number++) numbers.get(`${number}`, () => ({}));
    expect(numbers.get('1', () => ({}))).not.toBe(one);
  });

  it('is not kept when it could not be made', () => {
    const numbers = new RecentlyMade<number>(2);
    const fail = (): number => {
      throw new Error('cannot');
    };
    expect(() => numbers.get('1', fail)).toThrow('cannot');
    expect(numbers.get('1', () => 7)).toBe(7);
  });
});
