import { networkOf } from './network-of.js';

describe('the network of an address', () => {
  it.each(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'])('is the address itself for IPv4, also mapped: %s', (address) =>
    expect(networkOf(address)).toBe(address),
  );

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001::3:4:5:6:7:8', '2001:0:3:4'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('is the /64 of the IPv6 address %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('is one for all addresses of a /64, and another one for the next /64', () => {
    expect(networkOf('2001:db8::ffff:ffff:ffff:ffff')).toBe(networkOf('2001:db8::1'));
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
  });

  it.each(['', 'unknown', 'a:b:c:d:e:f'])('of a text that is no address is the text: %j', (text) => expect(networkOf(text)).toBe(text));
});
