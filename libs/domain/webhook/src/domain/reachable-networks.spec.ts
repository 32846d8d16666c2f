import { describe, expect, it } from '@jest/globals';

import { ReachableNetworks } from './reachable-networks.js';

const publicOnly = new ReachableNetworks([]);

describe('a webhook may reach', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    'the public address %s',
    (address) => expect(publicOnly.mayReach(address)).toBe(true),
  );

  it('the networks that the operator allows', () => {
    const onPremises = new ReachableNetworks(['10.1.0.0/16', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'].map((address) => onPremises.mayReach(address))).toEqual([true, true, true]);
    expect(['10.2.0.1', '::1'].map((address) => onPremises.mayReach(address))).toEqual([false, false]);
  });

  it('the one address that the operator allows without a prefix, and no other', () => {
    const oneHost = new ReachableNetworks(['10.1.2.3', 'fd00::1']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'].filter((address) => !oneHost.mayReach(address))).toEqual([]);
    expect(
      ['10.1.2.2', '10.1.2.4', '169.254.169.254', '127.0.0.1', 'fd00::', 'fd00::2', '::1'].filter((address) => oneHost.mayReach(address)),
    ).toEqual([]);
  });

  it('what is behind a translator that the operator allows, but no metadata address', () => {
    const translator = new ReachableNetworks(['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16']);
    expect(['64:ff9b::10.0.0.1', '64:ff9b:1::10.0.0.1', '2002:a00:1::'].filter((address) => !translator.mayReach(address))).toEqual([]);
    const metadata = ['169.254.169.254', '100.100.100.200', '168.63.129.16'];
    expect(metadata.flatMap((address) => [`64:ff9b::${address}`, `64:ff9b:1::${address}`]).filter((address) => translator.mayReach(address))).toEqual(
      [],
    );
    expect(['2002:a9fe:a9fe::', '64:ff9b:1:a9fe:a9:fe00::'].filter((address) => translator.mayReach(address))).toEqual([]);
    expect(new ReachableNetworks(['64:ff9b::/96', '169.254.0.0/16']).mayReach('64:ff9b::169.254.169.254')).toBe(true);
  });

  it.each([
    ['10.1.2.3/32', '10.1.2.3', ['10.1.2.2', '10.1.2.4']],
    ['10.1.2.2/31', '10.1.2.3', ['10.1.2.1', '10.1.2.4']],
    ['fd00::1/128', 'fd00::1', ['fd00::', 'fd00::2']],
  ])('a network as small as %s, and none of its neighbours', (network, inside, neighbours) => {
    const allowed = new ReachableNetworks([network]);
    expect(allowed.mayReach(inside)).toBe(true);
    expect(neighbours.filter((address) => allowed.mayReach(address))).toEqual([]);
  });
});

describe('the edges of a network that is not public', () => {
  it.each([
    ['0.0.0.0/8', '0.255.255.255', '1.0.0.0'],
    ['10.0.0.0/8', '10.255.255.255', '11.0.0.0', '9.255.255.255'],
    ['100.64.0.0/10', '100.127.255.255', '100.128.0.0', '100.63.255.255'],
    ['127.0.0.0/8', '127.255.255.255', '128.0.0.0', '126.255.255.255'],
    ['169.254.0.0/16', '169.254.255.255', '169.255.0.0', '169.253.255.255'],
    ['172.16.0.0/12', '172.31.255.255', '172.32.0.0', '172.15.255.255'],
    ['192.0.0.0/24', '192.0.0.255', '192.0.1.0', '191.255.255.255'],
    ['192.0.2.0/24', '192.0.2.255', '192.0.3.0', '192.0.1.255'],
    ['192.31.196.0/24', '192.31.196.255', '192.31.197.0', '192.31.195.255'],
    ['192.52.193.0/24', '192.52.193.255', '192.52.194.0', '192.52.192.255'],
    ['192.88.99.0/24', '192.88.99.255', '192.88.100.0', '192.88.98.255'],
    ['192.168.0.0/16', '192.168.255.255', '192.169.0.0', '192.167.255.255'],
    ['192.175.48.0/24', '192.175.48.255', '192.175.49.0', '192.175.47.255'],
    ['198.18.0.0/15', '198.19.255.255', '198.20.0.0', '198.17.255.255'],
    ['198.51.100.0/24', '198.51.100.255', '198.51.101.0', '198.51.99.255'],
    ['203.0.113.0/24', '203.0.113.255', '203.0.114.0', '203.0.112.255'],
    ['224.0.0.0/4', '239.255.255.255', '223.255.255.255'],
    ['240.0.0.0/4', '255.255.255.255'],
    ['2001::/23', '2001:1ff:ffff::1', '2001:200::1'],
    ['2001:db8::/32', '2001:db8:ffff::1', '2001:db9::1', '2001:db7:ffff::1'],
    ['2002::/16', '2002:ffff::1', '2003::1', '2001:ffff::1'],
    ['3fff::/20', '3fff:fff::1', '3fff:1000::1', '3ffe:ffff::1'],
    ['2620:4f:8000::/48', '2620:4f:8000:ffff::1', '2620:4f:8001::1', '2620:4f:7fff::1'],
  ])('%s: its first and its last address, %s, are refused, its neighbours are not', (network, last, ...neighbours) => {
    const first = network.slice(0, network.indexOf('/'));
    expect([first, last].map((address) => publicOnly.mayReach(address))).toEqual([false, false]);
    expect(neighbours.filter((address) => !publicOnly.mayReach(address))).toEqual([]);
  });
});

describe('a webhook must not reach', () => {
  it.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['the unspecified address', '::'],
    ['a private network', '10.0.0.1'],
    ['a private network', '172.16.0.1'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local, metadata', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['unique local', 'fd00:ec2::254'],
    ['protocol assignments', '192.0.0.192'],
    ['protocol assignments', '2001:1ff::1'],
    ['AS112', '192.31.196.1'],
    ['AS112', '192.175.48.1'],
    ['AS112', '2620:4f:8000::1'],
    ['AMT', '192.52.193.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['a mapped address', '::ffff:127.0.0.1'],
    ['a mapped address in hex', '::ffff:a9fe:a9fe'],
    ['a mapped address written out', '0:0:0:0:0:ffff:10.0.0.1'],
    ['a compatible address', '::127.0.0.1'],
    ['a private address that ends as a mapped public one', 'fd00::ffff:808:808'],
    ['an address that begins as a mapped public one', '::ffff:808:808:1'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['the wire server of Azure', '168.63.129.16'],
    ['the wire server of Azure, mapped', '::ffff:168.63.129.16'],
    ['the wire server of Azure by NAT64', '64:ff9b::168.63.129.16'],
    ['metadata of Alibaba by NAT64', '64:ff9b::100.100.100.200'],
    ['metadata of Oracle by NAT64', '64:ff9b::192.0.0.192'],
    ['a private network by NAT64', '64:ff9b::10.0.0.1'],
    ['a translated address', '::ffff:0:10.0.0.1'],
    ['ISATAP', '2606:4700::5efe:169.254.169.254'],
    ['ISATAP of a global address', '2606:4700::200:5efe:10.0.0.1'],
    ['metadata of Google', 'fd20:ce::254'],
    ['discard-only', '100::1'],
    ['unassigned, below global unicast', '1fff:ffff::1'],
    ['unassigned, above global unicast', '4000::1'],
    ['a name', 'localhost'],
    ['a decimal address', '2130706433'],
    ['nothing', ''],
  ])('%s: %s', (_, address) => expect(publicOnly.mayReach(address)).toBe(false));
});
