import { beforeAll, describe, expect, it } from '@jest/globals';

import { verifyContainer } from '../../../signatures/asic/src/index.js';
import { FILE, FILE_NAME, SigningKit } from '../../../../testkit/asic/signing-kit.js';

import { attach, AttachRefused } from './index.js';

const data = new Uint8Array(FILE);
let kit: SigningKit;
let container: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  kit = await SigningKit.open();
  container = new Uint8Array(await kit.container(kit.sign(await kit.signer())));
});

describe('attach', () => {
  it('makes the container complete', async () => {
    const complete = await attach({ container, data });
    const report = await verifyContainer(complete, { trust: kit.trust, now: kit.clock.now() });
    expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', signedDataName: FILE_NAME });
    expect(await attach({ container: complete, data: new Blob([data]) })).toEqual(complete);
  });

  it('refuses other data, and anything but a container', async () => {
    await expect(attach({ container, data: data.subarray(1) })).rejects.toBeInstanceOf(AttachRefused);
    await expect(attach({ container: data, data })).rejects.toBeInstanceOf(AttachRefused);
  });
});
