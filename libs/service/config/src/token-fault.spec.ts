import { randomBytes } from 'node:crypto';

import { tokenFault } from './token-fault.js';

describe('an admin token of a guarded environment', () => {
  it.each([16, 24, 32, 48])('may be %s random bytes, however they are written', (bytes) => {
    for (let time = 0; time < 300; time++) {
      const random = randomBytes(bytes);
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        const token = random.toString(form);
        if (token.length >= 32) expect([token, tokenFault(token)]).toEqual([token, undefined]);
      }
    }
  });

  it('may not be shorter than 32 characters', () => {
    const token = 'nS9yvJmq3tB1xZ0eKdLw7RfUaPcGhQi2';
    expect([tokenFault(token), tokenFault(token.slice(1))]).toEqual([undefined, 'must be at least 32 random characters']);
  });

  it.each([
    ['one letter', 'x'.repeat(43)],
    ['ten letters five times', 'abcdefghij'.repeat(5)],
    ['ten random letters five times', 'q7Zp0xKm2R'.repeat(5)],
    ['a part that is cut the last time', 'q7Zp0xKm2R'.repeat(5).slice(0, 47)],
    ['twenty letters twice', 'nS9yvJmq3tB1xZ0eKdLw'.repeat(2)],
    ['thirty-two letters twice', 'nS9yvJmq3tB1xZ0eKdLw7RfUaPcGhQi2'.repeat(2)],
    ['the same letters in another case', 'nS9yvJmq3tB1xZ0eNs9YVjMQ3Tb1XzOE'],
    ['a pattern with a number after each time', 'abc1abc2abc3abc4abc5abc6abc7abc8abc9'],
    ['a pattern with another sign after each time', 'secret-secret_secret.secret!secret+secret'],
    ['a pattern in the middle', `k3${'hunter2-'.repeat(5)}Zq`],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['the alphabet backwards', 'zyxwvutsrqponmlkjihgfedcba9876543210'],
    ['every second letter', 'acegikmoqsuwy02468acegikmoqsuwy02468'],
    ['each letter twice', 'aabbccddeeffggHHiijjkkllMMnnooppqqrr'],
    ['seven different letters', 'qwertyuwyeutqrywtuqeyrwuteqywrtueqyutwre'],
    ['a word', 'administrator'.repeat(4)],
  ])('may not repeat a pattern: %s', (_, token) => {
    expect(tokenFault(token)).toBe('must be random characters and repeat no pattern');
  });

  it('is judged at once, however long it is', () => {
    expect(tokenFault('x'.repeat(100_000))).toBeDefined();
    expect(tokenFault(randomBytes(75_000).toString('base64'))).toBeUndefined();
  });
});
