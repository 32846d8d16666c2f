import { describe, expect, it } from '@jest/globals';

import { ReachableNetworks } from './reachable-networks.js';

const publicOnly = new ReachableNetworks([]);

describe('a webhook reaches', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8'])('the public address %s', (address) =>
    expect(publicOnly.mayReach(address)).toBe(true));

  it('what the operator allows', () => {
    const onPremises = new ReachableNetworks(['10.1.0.0/16', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'].map((address) => onPremises.mayReach(address))).toEqual([true, true, true]);
    expect(['10.2.0.1', '::1'].map((address) => onPremises.mayReach(address))).toEqual([false, false]);
  });
});

describe('a webhook does not reach', () => {
  it.each([
    ['this host', '0.0.0.0'], ['loopback', '127.0.0.1'], ['loopback', '127.255.255.254'], ['loopback', '::1'], ['the unspecified address', '::'],
    ['a private network', '10.0.0.1'], ['a private network', '172.16.0.1'], ['a private network', '172.31.255.255'], ['a private network', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'], ['link-local, metadata', '169.254.169.254'], ['link-local', 'fe80::1'], ['link-local with a zone', 'fe80::1%eth0'],
    ['unique local', 'fd00:ec2::254'], ['protocol assignments', '192.0.0.192'], ['benchmarking', '198.18.0.1'], ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'], ['documentation', '3fff::1'], ['multicast', '224.0.0.1'], ['multicast', 'ff02::1'], ['broadcast', '255.255.255.255'], ['reserved', '240.0.0.1'],
    ['a mapped address', '::ffff:127.0.0.1'], ['a mapped address in hex', '::ffff:a9fe:a9fe'], ['a mapped address written out', '0:0:0:0:0:ffff:10.0.0.1'],
    ['a compatible address', '::127.0.0.1'], ['NAT64', '64:ff9b::a9fe:a9fe'], ['local NAT64', '64:ff9b:1::a00:1'], ['6to4', '2002:7f00:1::'], ['Teredo', '2001:0:7f00:1::'],
    ['discard-only', '100::1'], ['a name', 'localhost'], ['a decimal address', '2130706433'], ['nothing', ''],
  ])('%s: %s', (_, address) => expect(publicOnly.mayReach(address)).toBe(false));
});
