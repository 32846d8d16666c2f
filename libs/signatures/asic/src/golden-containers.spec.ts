import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate, TrustStore } from '#signatures/pki';

import { attachBlob } from './attach/attach-blob.js';
import { verifyContainer } from './verify/verify-container.js';

const vector = (name: string): Promise<Buffer> => readFile(resolve('test/vectors/asic', name));
const DAY = Date.UTC(2026, 5, 1);
const now = Date.UTC(2027, 0, 1);
const LEVELS = ['B', 'T', 'LT'] as const;
const KEY_TYPES = ['P-256', 'P-384', 'RSA'] as const;

let trust: TrustStore;
let file: Buffer;
beforeAll(async () => {
  const pem = (await vector('root.pem')).toString();
  trust = new TrustStore([Certificate.parse(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'))]);
  file = await vector('fox.txt');
});

describe('a container of the first version', () => {
  it.each(KEY_TYPES.flatMap((type) => LEVELS.map((level) => [type, level] as const)))(
    'signed with a %s key at level %s is still understood',
    async (type, level) => {
      const report = await verifyContainer(await vector(`${type}-${level}.asice`), { trust, now, level });
      expect(report).toMatchObject({
        verdict: 'INDETERMINATE',
        subIndication: 'SIGNED_DATA_NOT_FOUND',
        level,
        signedDataName: 'fox.txt',
        signedDataHash: hash('sha512', file),
        signer: { name: 'Mari-Liis Männik', serialNumber: 'PNOEE-47101010033' },
      });
      expect(report.signingTime).toBeGreaterThan(DAY);
      expect(report.signingTime).toBeLessThan(DAY + 24 * 3_600_000);
    },
  );

  it.each(KEY_TYPES)('signed with a %s key is still completed in the same way, byte for byte', async (type) => {
    const delivered = new Blob([(await vector(`${type}-LT.asice`)) as Buffer<ArrayBuffer>]);
    const completed = Buffer.from(await (await attachBlob(delivered, new Blob([file as Buffer<ArrayBuffer>]))).arrayBuffer());
    expect(completed).toEqual(await vector(`${type}-LT-complete.asice`));
    expect(await verifyContainer(completed, { trust, now })).toMatchObject({ verdict: 'TOTAL_PASSED', level: 'LT' });
  });
});
