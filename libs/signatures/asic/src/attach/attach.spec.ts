import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 as nodeCrc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { entriesOf, pack } from '#testkit/asic/forge-container';
import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from '../verify/verify-container.js';
import { attachBlob } from './attach-blob.js';
import { attachFile } from './attach-file.js';
import { AttachRefused } from './attach-refused.js';
import { crc32 } from './crc32.js';

let kit: SigningKit;
let directory: string;
let delivered: Buffer;
beforeAll(async () => {
  kit = await SigningKit.open();
  directory = await mkdtemp(join(tmpdir(), 'attach-'));
  delivered = await kit.container(kit.sign(await kit.signer()));
});
afterAll(() => rm(directory, { recursive: true }));

const save = async (name: string, content: Uint8Array): Promise<string> => {
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
};
let containers = 0;
const newContainer = (content: Uint8Array = delivered): Promise<string> => save(`${(containers += 1)}.asice`, content);
const verdict = async (source: Uint8Array | string): Promise<string> =>
  (await verifyContainer(source, { trust: kit.trust, now: kit.clock.now() })).verdict;

/** The outcome for a wrong container: it was refused, or it was completed and then judged. */
const outcomeOf = async (completed: unknown, right: Awaited<ReturnType<typeof entriesOf>>): Promise<string> => {
  if (!Buffer.isBuffer(completed)) return completed instanceof AttachRefused ? 'refused' : `failed: ${String(completed)}`;
  const judged = await verdict(completed);
  return judged === 'TOTAL_PASSED' && isDeepStrictEqual(await entriesOf(completed), right) ? UNHARMED : judged;
};
const UNHARMED = 'the same entries, TOTAL_PASSED';

/** Both ways, by bytes: through files in Node, and through Blobs as in a browser. */
const ways = {
  'as files': async (container: Uint8Array, file: Uint8Array): Promise<Buffer> => {
    const path = await newContainer(container);
    await attachFile({ container: path, file: await save('file', file) });
    return readFile(path);
  },
  'in a browser': async (container: Uint8Array, file: Uint8Array): Promise<Buffer> =>
    Buffer.from(await (await attachBlob(blob(container), blob(file))).arrayBuffer()),
};
const blob = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>]);

describe.each(Object.entries(ways))('attaching %s', (_, attach) => {
  it('completes the container and keeps every byte of it', async () => {
    const completed = await attach(delivered, FILE);
    expect(await verdict(completed)).toBe('TOTAL_PASSED');
    const directoryStart = delivered.readUInt32LE(delivered.length - 6);
    expect(completed.subarray(0, directoryStart)).toEqual(delivered.subarray(0, directoryStart));
    expect(completed.includes(delivered.subarray(directoryStart, delivered.length - 22))).toBe(true);
  });

  it('gives the same bytes as the other way', async () => {
    expect(await attach(delivered, FILE)).toEqual(await ways['in a browser'](delivered, FILE));
  });

  it('does nothing when the file is there', async () => {
    const completed = await attach(delivered, FILE);
    expect(await attach(completed, FILE)).toEqual(completed);
  });

  it('refuses any other file', async () => {
    for (const wrong of [Buffer.alloc(0), Buffer.concat([FILE, Buffer.of(0)])]) {
      await expect(attach(delivered, wrong)).rejects.toThrow('not the file that was signed');
    }
  });

  it('refuses a container with another file in it', async () => {
    const entries = await entriesOf(delivered);
    const second = await pack([...entries, { name: 'second.pdf', content: FILE }]);
    await expect(attach(second, FILE)).rejects.toThrow('a file that was not signed');
    const other = await pack([...entries, { name: FILE_NAME, content: Buffer.from('other') }]);
    await expect(attach(other, FILE)).rejects.toThrow('another file under that name');
  });

  it('refuses bytes that are no delivered container', async () => {
    const entries = await entriesOf(delivered);
    const broken = Buffer.from(delivered);
    broken.writeUInt32LE(0xffffffff, delivered.length - 6);
    for (const wrong of [
      Buffer.alloc(0),
      Buffer.from('hello'),
      Buffer.alloc(100_000, 'PK'),
      delivered.subarray(0, -1),
      Buffer.concat([delivered, Buffer.of(0)]),
      broken,
      await pack(entries.slice(1)),
      await pack(entries.map((entry) => ({ ...entry, compress: true }))),
      await pack(entries.map((entry) => (entry.name.endsWith('.xml') ? { ...entry, content: Buffer.from('<x/>') } : entry))),
      await pack(entries.map((entry) => (entry.name.endsWith('.xml') ? { ...entry, content: Buffer.alloc(1 << 20) } : entry))),
    ]) {
      await expect(attach(wrong, FILE)).rejects.toThrow(AttachRefused);
    }
  });

  it('survives the change of any one byte of the container: refused, or completed for verification to judge', async () => {
    const right = await entriesOf(await attach(delivered, FILE));
    const outcomes: string[] = [];
    for (let at = 0; at < delivered.length; at += 97) {
      const wrong = Buffer.from(delivered);
      wrong[at] = (wrong[at] ?? 0) ^ 0x21;
      const completed: unknown = await attach(wrong, FILE).catch((error: unknown) => error);
      outcomes.push(await outcomeOf(completed, right));
    }
    // The signature does not cover dates and attributes of the entries.
    const harmed = outcomes.filter((outcome) => outcome !== UNHARMED);
    expect(new Set(harmed)).toEqual(new Set(['refused', 'TOTAL_FAILED']));
  });
});

describe('attaching a file', () => {
  it('names the file as it was signed, at any path of the file and of the result', async () => {
    const container = await newContainer();
    const output = join(directory, 'done.asice');
    const file = await save('another name', FILE);
    expect(await attachFile({ container, file, output })).toEqual({ signedDataName: FILE_NAME, changed: true });
    expect(await readFile(container)).toEqual(delivered);
    expect(await verdict(output)).toBe('TOTAL_PASSED');
    expect(await attachFile({ container: output, file })).toEqual({ signedDataName: FILE_NAME, changed: false });
    expect(await attachFile({ container: output, file, output: join(directory, 'copy.asice') })).toMatchObject({ changed: false });
    expect(await readFile(join(directory, 'copy.asice'))).toEqual(await readFile(output));
  });

  it('leaves nothing behind when it refuses', async () => {
    const container = await newContainer();
    const before = await readdir(directory);
    const file = await save('file', Buffer.from('wrong'));
    await expect(attachFile({ container, file })).rejects.toThrow(AttachRefused);
    expect(await readdir(directory)).toEqual(expect.arrayContaining(before));
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(await readFile(container)).toEqual(delivered);
  });

  it('rejects with the error of the file system for a path that does not exist', async () => {
    await expect(attachFile({ container: join(directory, 'none.asice'), file: join(directory, 'none') })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('streams a large file', async () => {
    const pieces = 200;
    const piece = Buffer.alloc(1024 * 1024, 'countersign ');
    const digest = createHash('sha512');
    const path = join(directory, 'large.log');
    await using file = await open(path, 'w');
    for (let written = 0; written < pieces; written += 1) {
      digest.update(piece);
      await file.writeFile(piece);
    }
    const container = await newContainer(await kit.container(kit.signDocuments(await kit.signer(), [{ name: 'large.log', hash: digest.digest() }])));
    const before = process.memoryUsage().arrayBuffers;
    await attachFile({ container, file: path });
    // Chunks wait for the collection of garbage, which takes its time on a busy machine.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(0.75 * pieces * piece.length);
    expect(await verdict(container)).toBe('TOTAL_PASSED');
  });
});

describe('the browser’s part', () => {
  it('needs nothing of Node', async () => {
    const root = join(import.meta.dirname, '..');
    const seen = new Set<string>();
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const imports = [...(await readFile(path, 'utf8')).matchAll(/from '([^']+)'/g)].map(([, from]) => from as string);
      expect(imports.filter((from) => !from.startsWith('.'))).toEqual([]);
      for (const from of imports) await visit(join(dirname(path), from.replace(/\.js$/, '.ts')));
    };
    await visit(join(root, '../browser/src/index.ts'));
    expect(seen.size).toBeGreaterThan(5);
  });

  it('computes the checksum of ZIP', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.uint8Array({ maxLength: 10 }), (bytes, more) => {
        expect(crc32(more, crc32(bytes))).toBe(nodeCrc32(Buffer.concat([bytes, more])));
      }),
    );
  });
});
