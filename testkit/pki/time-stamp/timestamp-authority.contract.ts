import { expect, it } from '@jest/globals';

import { Certificate } from '#signatures/pki';
import type { DevelopmentKit } from '../development-kit.js';
import { verifyTimeStampToken } from '#signatures/pki';
import type { TimestampAuthority } from '#signatures/pki';

export interface OpenedAuthority {
  readonly authority: TimestampAuthority;
  readonly kit: DevelopmentKit;
  /** The time of the unit's own clock may differ from the kit's by so much (milliseconds). */
  readonly tolerance: number;
}

/** The promises of every time-stamping authority. */
export const timestampAuthorityContract = (open: () => OpenedAuthority): void => {
  const data = Buffer.from('the octets of a signature');

  it('stamps the given digest, now, under a trusted root', async () => {
    const { authority, kit, tolerance } = open();
    const stamp = await authority.stamp(data);
    expect(Math.abs(stamp.genTime - Math.floor(kit.clock.now() / 1000) * 1000)).toBeLessThanOrEqual(tolerance);
    expect(stamp.chain.map(({ fingerprint }) => fingerprint)).toEqual([
      Certificate.parse(kit.pki.timestamping.certificate).fingerprint,
      kit.root.fingerprint,
    ]);
    expect(verifyTimeStampToken(stamp.token, data, { trust: kit.trust, pool: [] }).genTime).toBe(stamp.genTime);
  });

  it('gives a token that fits no other data', async () => {
    const { authority, kit } = open();
    const { token } = await authority.stamp(data);
    expect(() => verifyTimeStampToken(token, Buffer.from('other data'), { trust: kit.trust, pool: [] })).toThrow('over something else');
  });

  it('gives another token for the same data each time', async () => {
    const { authority } = open();
    expect((await authority.stamp(data)).token).not.toEqual((await authority.stamp(data)).token);
  });
};
