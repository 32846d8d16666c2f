import { describe, expect, it } from '@jest/globals';

import { addressIn, networkOf } from './network-of.js';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '4 192.0.2.1'],
    ['::ffff:192.0.2.1', '4 192.0.2.1'],
    ['::FFFF:c000:201', '4 192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '4 192.0.2.1'],
  ])('is the address itself for IPv4, also mapped: %s', (address, network) => expect(networkOf(address)).toBe(network));

  it.each([
    ['2001:db8:1:2:3:4:5:6', '6 2001:db8:1:2'],
    ['2001:db8:1:2::6', '6 2001:db8:1:2'],
    ['2001:db8:1:2::', '6 2001:db8:1:2'],
    ['2001:db8::6', '6 2001:db8:0:0'],
    ['2001::3:4:5:6:7:8', '6 2001:0:3:4'],
    ['2001:0DB8:0001::6', '6 2001:db8:1:0'],
    ['::1', '6 0:0:0:0'],
    ['::', '6 0:0:0:0'],
    ['::2:3:4:5:6:7:8', '6 0:2:3:4'],
    ['64:ff9b::192.0.2.1', '6 64:ff9b:0:0'],
    ['fe80::1%eth0', '6 fe80:0:0:0'],
  ])('is the /64 of the IPv6 address %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('is one for all addresses of a /64, and another one for the next /64', () => {
    expect(networkOf('2001:db8::ffff:ffff:ffff:ffff')).toBe(networkOf('2001:db8::1'));
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
  });

  it.each([
    ['203.0.113.10:41000', '4 203.0.113.10'],
    ['[2001:db8::1]:41000', '6 2001:db8:0:0'],
    ['[2001:db8::1]', '6 2001:db8:0:0'],
    ['[::ffff:203.0.113.10]:41000', '4 203.0.113.10'],
    ['::ffff:203.0.113.10:41000', '4 203.0.113.10'],
    ['2001:db8:1:2:3:4:5:6:41000', '6 2001:db8:1:2'],
    ['[fe80::1%eth0]:41000', '6 fe80:0:0:0'],
    ['203.0.113.10:_gazonk', '4 203.0.113.10'],
    ['203.0.113.10:_a.b-c_1', '4 203.0.113.10'],
    ['[2001:db8::1]:_SEVKISEK', '6 2001:db8:0:0'],
  ])('does not depend on the port: %s', (address, network) => expect(networkOf(address)).toBe(network));

  it.each([
    '',
    'unknown',
    '_hidden',
    'a:b:c:d:e:f',
    '256.0.0.1',
    '192.0.2.1:port',
    '192.0.2.1:',
    '192.0.2.1:_',
    '192.0.2.1:_a b',
    '192.0.2.1:123456',
    '[2001:db8::1]:',
    '_gazonk',
    'unknown:41000',
    '_hidden:_port',
    `192.0.2.1:_${'a:_'.repeat(4_000)}!`,
    '[192.0.2.1]:80',
    '[2001:db8::1',
    '[2001:db8::1]x',
    '"192.0.2.1"',
    '010.0.0.1',
    `${':1'.repeat(4_000)}x`,
  ])('of a text that is no address is not known: %j', (text) => {
    expect(networkOf(text)).toBeUndefined();
    expect(addressIn(text)).toBeUndefined();
  });
});
