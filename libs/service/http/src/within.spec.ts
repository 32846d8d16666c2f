import { describe, expect, it } from '@jest/globals';

import { within } from './within.js';

describe('a list of trusted proxies', () => {
  it.each(['10.1.2.3', '10.1.2.3:41000', '::ffff:10.1.2.3', '192.0.2.7', 'fd00::9', '[fd00::9]:443', 'FD00:0::9'])('trusts %s', (address) => {
    expect(within(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])(address)).toBe(true);
  });

  it.each(['11.0.0.1', '192.0.2.8', '192.0.2.8:80', '2001:db8::1', 'unknown', '', undefined])('does not trust %s', (address) => {
    expect(within(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])(address)).toBe(false);
  });

  it('takes an IPv4-mapped network as the network of IPv4', () => {
    const trusts = within(['::ffff:10.0.0.0/104']);
    expect([trusts('10.9.9.9'), trusts('11.9.9.9')]).toEqual([true, false]);
  });
});
