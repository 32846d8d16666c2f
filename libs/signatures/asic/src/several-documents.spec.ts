import { hash } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { attachBlob } from './attach/attach-blob.js';
import { entriesOf, pack } from '#testkit/asic/forge-container';
import { type Signer, SigningKit } from '#testkit/asic/signing-kit';
import { explainReport } from './verify/explain-report.js';
import { verifyContainer } from './verify/verify-container.js';

const FILES = ['first', 'second', 'third'].map((text) => Buffer.from(text));
const DOCUMENTS = FILES.map((file, at) => ({ name: `${at + 1}.txt`, hash: hash('sha512', file, 'buffer') }));
const REQUEST = { relyingParty: 'Bank & Co', title: 'Loan 4711' };

let kit: SigningKit;
let signer: Signer;
let delivered: Buffer;
beforeAll(async () => {
  kit = await SigningKit.open();
  signer = await kit.signer();
  delivered = await kit.container(kit.signDocuments(signer, DOCUMENTS, REQUEST));
});
const judge = (container: Uint8Array) => verifyContainer(container, { trust: kit.trust, now: kit.clock.now() });
const withFiles = async (container: Uint8Array, ...files: readonly Uint8Array[]): Promise<Buffer> => {
  let whole = new Blob([container as Uint8Array<ArrayBuffer>]);
  for (const file of files) whole = await attachBlob(whole, new Blob([file as Uint8Array<ArrayBuffer>]));
  return Buffer.from(await whole.arrayBuffer());
};

describe('a signature over several documents', () => {
  it('passes once every file lies in the container, whatever their order', async () => {
    expect(await judge(delivered)).toMatchObject({ subIndication: 'SIGNED_DATA_NOT_FOUND', findings: [] });
    const [first, second, third] = FILES as [Buffer, Buffer, Buffer];
    const two = await judge(await withFiles(delivered, third, first));
    expect(two).toMatchObject({ subIndication: 'SIGNED_DATA_NOT_FOUND', findings: [] });
    expect(two.documents?.map(({ present }) => present)).toEqual([true, false, true]);
    const whole = await judge(await withFiles(delivered, third, first, second));
    expect(whole).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [], request: REQUEST, signedDataName: undefined });
    expect(whole.documents).toEqual(DOCUMENTS.map(({ name, hash: digest }) => ({ name, hash: digest.toString('hex'), present: true })));
  });

  it('names the relying party, the title and each document in plain words', async () => {
    const [first] = FILES as [Buffer];
    const lines = explainReport(await judge(await withFiles(delivered, first)));
    expect(lines[0]).toContain('put the missing files into it');
    expect(lines.slice(1, 5)).toEqual([
      `What   "1.txt", SHA-512 ${DOCUMENTS[0]?.hash.toString('hex')}`,
      `       "2.txt", SHA-512 ${DOCUMENTS[1]?.hash.toString('hex')}, missing`,
      `       "3.txt", SHA-512 ${DOCUMENTS[2]?.hash.toString('hex')}, missing`,
      'For    "Bank & Co", titled "Loan 4711"',
    ]);
  });

  it('fails when a file was replaced by another, or two were swapped', async () => {
    const entries = await entriesOf(delivered);
    const files = (order: readonly number[]) => DOCUMENTS.map(({ name }, at) => ({ name, content: FILES[order[at] ?? 0] as Buffer }));
    for (const order of [
      [0, 1, 1],
      [1, 0, 2],
    ]) {
      const report = await judge(await pack([...entries, ...files(order)]));
      expect(report).toMatchObject({ verdict: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' });
      expect(report.findings.every(({ rule }) => rule === 'file-changed')).toBe(true);
    }
    expect(await judge(await pack([...entries, ...files([0, 1, 2]), { name: '4.txt', content: Buffer.from('fourth') }]))).toMatchObject({
      findings: [{ rule: 'entries' }],
    });
  });

  it('takes a file twice where two names were signed with its hash, and once otherwise', async () => {
    const [same, other] = FILES as [Buffer, Buffer];
    const documents = [same, other, same].map((file, at) => ({ name: `${at}`, hash: hash('sha512', file, 'buffer') }));
    const container = await kit.container(kit.signDocuments(signer, documents));
    const once = await withFiles(container, same);
    expect((await judge(once)).documents?.map(({ present }) => present)).toEqual([true, false, false]);
    const whole = await withFiles(once, same, other);
    expect(await judge(whole)).toMatchObject({ verdict: 'TOTAL_PASSED' });
    expect(await withFiles(whole, same, other)).toEqual(whole);
    await expect(withFiles(whole, Buffer.from('not signed'))).rejects.toThrow('not the file that was signed');
  });
});
