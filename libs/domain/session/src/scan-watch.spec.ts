import { describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { type ScanReports, ScanWatch } from './scan-watch.js';

const watching = () => {
  const clock = new FixedClock();
  const told: object[] = [];
  const reports: ScanReports = { scanned: (scan) => told.push(scan), unusual: (scans) => told.push(scans) };
  const watch = new ScanWatch(clock, reports);
  clock.advance(15 * 60_000);
  return { watch, told };
};

describe('the watch over scans', () => {
  it('reports many scans of one client, from any networks', () => {
    const { watch, told } = watching();
    for (let scan = 0; scan <= 50; scan++) watch.tried('shop', `4 192.0.2.${scan}`);
    expect(told).toEqual([{ of: 'client', clientId: 'shop', count: 51 }]);
  });

  it('reports many scans from one network, of any clients, and does not name the network', () => {
    const { watch, told } = watching();
    for (let scan = 0; scan <= 50; scan++) watch.tried(`shop-${scan}`, '4 192.0.2.1');
    expect(told).toEqual([{ of: 'network', count: 51 }]);
  });

  it('does not count phones of unknown networks as one network', () => {
    const { watch, told } = watching();
    for (let scan = 0; scan <= 50; scan++) watch.tried(`shop-${scan}`, undefined);
    expect(told).toEqual([]);
  });

  it.each([
    [undefined, undefined, { via: 'qr', network: 'unknown' }],
    ['link', { browser: 'Firefox' }, { via: 'link', network: 'unknown' }],
    ['link', { sameNetwork: false }, { via: 'link', network: 'other' }],
    ['push', { sameNetwork: true }, { via: 'push', network: 'same' }],
  ] as const)('counts a scan by %s of the page %j', (via, page, expected) => {
    const { watch, told } = watching();
    watch.scanned(via, page);
    expect(told).toEqual([expected]);
  });
});
