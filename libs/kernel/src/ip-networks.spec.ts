import fc from 'fast-check';

import { ipv4Within, networksOverlap, withoutMapping } from './ip-networks.js';

describe('an IPv4 address within an IPv6 address', () => {
  it.each([
    ['mapped', '::ffff:169.254.169.254'],
    ['compatible', '::169.254.169.254'],
    ['translated', '::ffff:0:169.254.169.254'],
    ['by NAT64', '64:ff9b::a9fe:a9fe'],
    ['by local NAT64 of 96 bits', '64:ff9b:1:7::a9fe:a9fe'],
    // RFC 6052 §2.2: the octet of bits 64 to 71 is left free.
    ['by local NAT64 of 48 bits', '64:ff9b:1:a9fe:a9:fe00::'],
    ['by local NAT64 of 56 bits', '64:ff9b:1:01a9:00fe:a9fe::'],
    ['by local NAT64 of 64 bits', '64:ff9b:1:1:a9:fea9:fe00:0'],
    ['in 6to4', '2002:a9fe:a9fe::1'],
    ['the server of Teredo', '2001:0:a9fe:a9fe::'],
    // RFC 4380 §4: each bit is inverted.
    ['the client of Teredo', '2001:0:808:808:8000:63bf:5601:5601'],
    ['by ISATAP', '2001:db8::5efe:a9fe:a9fe'],
    ['by ISATAP of a global address', 'fe80::200:5efe:a9fe:a9fe%eth0'],
  ])('is found: %s', (_, address) => expect(ipv4Within(address)).toContain('169.254.169.254'));

  it.each(['169.254.169.254', '2001:db8::a9fe:a9fe', 'fe80::1', 'localhost', ''])('is not found in %j', (address) =>
    expect(ipv4Within(address)).toEqual([]),
  );
});

describe('a mapped address', () => {
  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:FFFF:a00:1', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.1'],
    ['64:ff9b::a00:1', '64:ff9b::a00:1'],
    ['::ffff:808:808:1', '::ffff:808:808:1'],
    ['no address', 'no address'],
  ])('%s is %s', (address, plain) => expect(withoutMapping(address)).toBe(plain));
});

describe('two networks', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::/0', '10.1.2.3', true],
    ['64:ff9b::/96', '10.1.2.3', true],
    ['64:ff9b::/97', '128.0.0.1', false],
    ['2002:a00::/24', '10.1.2.3', true],
    ['2001::/32', '10.1.2.3', true],
    ['2001:db8::/32', '10.1.2.3', false],
    ['2001:db8::5efe:a01:203', '10.1.2.3', true],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['11.0.0.0/8', '10.1.2.3', false],
    ['10.0.0.0/8', 'fd00::/8', false],
  ])('%s and %s: %s', (one, other, overlap) => expect(networksOverlap(one, other)).toBe(overlap));

  it('have an address in common if one holds it, in whatever form', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), (address, prefix) => {
        expect(networksOverlap(`${address}/${prefix}`, address)).toBe(true);
        for (const inner of ipv4Within(address)) expect(networksOverlap(address, inner)).toBe(true);
      }),
    );
  });

  it('are refused if one is none', () => expect(() => networksOverlap('10.0.0.0/8', 'localhost')).toThrow(TypeError));
});
