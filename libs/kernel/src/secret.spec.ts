import { format, inspect } from 'node:util';

import { Secret } from './secret.js';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  it('gives its value only by reveal()', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it('never prints its value', () => {
    const printed = [
      String(secret),
      `${secret}`,
      'x' + secret,
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ nested: { secret } }, { showHidden: true, depth: Infinity }),
      format('%s %o %O %j %d', secret, secret, secret, secret, secret),
      JSON.stringify(Object.entries(secret)),
      JSON.stringify({ ...secret }),
      new Error(`wrong: ${secret}`).stack ?? '',
      inspect(structuredClone(secret)),
    ];
    for (const text of printed) expect(text).not.toContain('hunter2');
    expect(printed[0]).toBe('[redacted]');
    expect([JSON.stringify({ secret }), inspect(secret), format('%s', secret)]).toEqual(['{"secret":"[redacted]"}', '[redacted]', '[redacted]']);
  });
});
