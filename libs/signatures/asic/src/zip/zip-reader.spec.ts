import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { pack } from '#testkit/asic/forge-container';
import { UnreadableContainer } from './unreadable-container.js';
import { writeZip } from './write-zip.js';
import { ZipReader } from './zip-reader.js';

const LIMIT = 1024 * 1024;
const open = (bytes: Uint8Array): Promise<ZipReader> => ZipReader.open(bytes);
const refuses = async (bytes: Uint8Array, reason: RegExp): Promise<void> => {
  const error: unknown = await readAll(bytes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableContainer);
  expect((error as Error).message).toMatch(reason);
};
const readAll = async (bytes: Uint8Array): Promise<readonly Buffer[]> => {
  await using zip = await open(bytes);
  return Promise.all(zip.entries.map((entry) => zip.read(entry, LIMIT)));
};

/** Changes a 16-bit or 32-bit field of the first entry, in its local header or in the directory. */
const patched = (zip: Buffer, where: 'local' | 'directory', offset: number, value: number, width: 2 | 4 = 2): Buffer => {
  const wrong = Buffer.from(zip);
  const base = where === 'local' ? 0 : zip.readUInt32LE(zip.length - 6);
  if (width === 2) wrong.writeUInt16LE(value, base + offset);
  else wrong.writeUInt32LE(value, base + offset);
  return wrong;
};

/** The sizes of the only entry stand in the ZIP64 field of its local header, as Java and streaming programs write them. `written`: the size that stands there. */
const inZip64 = (zip: Buffer, written: number): Buffer => {
  const nameEnd = 30 + zip.readUInt16LE(26);
  const field = Buffer.alloc(20);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(16, 2);
  field.writeBigUInt64LE(BigInt(written), 4);
  field.writeBigUInt64LE(BigInt(zip.readUInt32LE(18)), 12);
  const moved = Buffer.concat([zip.subarray(0, nameEnd), field, zip.subarray(nameEnd + zip.readUInt16LE(28))]);
  moved.fill(0xff, 18, 26);
  moved.writeUInt16LE(field.length, 28);
  moved.writeUInt32LE(zip.readUInt32LE(zip.length - 6) + field.length - zip.readUInt16LE(28), moved.length - 6);
  return moved;
};

/** Writes the name over a name of as many `x`, in both headers. */
const renamed = (zip: Buffer, name: string): Buffer => Buffer.from(zip.toString('latin1').replaceAll('x'.repeat(name.length), name), 'latin1');

describe('an archive', () => {
  it('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 5 }), async (contents) => {
        const entries = contents.map((content, at) => ({ name: `${at} é.bin`, content: Buffer.from(content) }));
        expect(await readAll(await writeZip(entries, Date.UTC(2026, 5, 1)))).toEqual(entries.map(({ content }) => content));
        expect(await readAll(await pack(entries.map((entry) => ({ ...entry, compress: true }))))).toEqual(entries.map(({ content }) => content));
      }),
      { numRuns: 25 },
    );
  });

  it('with small sizes in the form of ZIP64 is read, and refused when they are other ones than in the directory', async () => {
    const content = Buffer.from('content');
    const zip = await writeZip([{ name: 'a.txt', content }], 0);
    expect(await readAll(inZip64(zip, content.length))).toEqual([content]);
    await refuses(inZip64(zip, content.length + 1), /disagrees/);
    await refuses(patched(inZip64(zip, content.length), 'local', 30 + 'a.txt'.length, 2), /disagrees|not a sound ZIP/);
  });

  it('that is no ZIP is refused', async () => {
    await refuses(Buffer.alloc(0), /not a sound ZIP/);
    await refuses(Buffer.from('hello'), /not a sound ZIP/);
    await refuses(Buffer.alloc(100_000), /not a sound ZIP/);
  });

  it('with a wrong value in one of its two headers is refused', async () => {
    const zip = await writeZip([{ name: 'a.txt', content: Buffer.from('content') }], 0);
    await refuses(patched(zip, 'local', 18, 6, 4), /disagrees/);
    await refuses(patched(zip, 'local', 14, 1, 4), /disagrees/);
    await refuses(patched(zip, 'local', 30, 0x6262), /disagrees/);
    await refuses(patched(zip, 'local', 8, 8), /disagrees/);
    await refuses(patched(patched(zip, 'local', 14, 1, 4), 'directory', 16, 1, 4), /checksum/);
    await refuses(patched(zip, 'directory', 42, 3, 4), /sound|disagrees|overlap/);
  });

  it('that is encrypted or packed in an unknown way is refused', async () => {
    const zip = await writeZip([{ name: 'a.txt', content: Buffer.from('content') }], 0);
    await refuses(patched(patched(zip, 'local', 6, 0x0801), 'directory', 8, 0x0801), /encrypted|sound ZIP/);
    await refuses(patched(patched(zip, 'local', 8, 12), 'directory', 10, 12), /compression/);
  });

  it('with dangerous names is refused', async () => {
    for (const name of ['../a.txt', '/a.txt', 'b/../a.txt', 'c:/a.txt', 'b\\a.txt', '..', 'c:\\a.txt']) {
      const zip = await writeZip([{ name: 'x'.repeat(Buffer.byteLength(name)), content: Buffer.of(1) }], 0);
      await refuses(renamed(zip, name), /not a sound ZIP/);
    }
    await refuses(
      await pack([{ name: 'folder', content: Buffer.alloc(0) }]).then((zip) =>
        Buffer.from(zip.toString('latin1').replaceAll('folder', 'folde/'), 'latin1'),
      ),
      /folder/,
    );
  });

  it('with a colon or dots in the name of a file is read', async () => {
    for (const name of ['C:x.pdf', 'C:', 'a..b.pdf', '...']) {
      await using zip = await open(
        await writeZip([{ name: 'x'.repeat(name.length), content: Buffer.of(1) }], 0).then((packed) => renamed(packed, name)),
      );
      expect(zip.entries.map((entry) => entry.name)).toEqual([name]);
    }
  });

  it('with bytes between, before or after its entries is refused', async () => {
    const zip = await writeZip([{ name: 'a.txt', content: Buffer.from('content') }], 0);
    await refuses(Buffer.concat([Buffer.from('junk'), zip]), /sound|between|disagrees/);
    const directory = zip.readUInt32LE(zip.length - 6);
    const moved = Buffer.concat([zip.subarray(0, directory), Buffer.from('hidden'), zip.subarray(directory)]);
    moved.writeUInt32LE(directory + 6, moved.length - 6);
    await refuses(moved, /between/);
    const end = zip.length - 22;
    await refuses(Buffer.concat([zip.subarray(0, end), Buffer.from('hidden'), zip.subarray(end)]), /directory and the end/);
    const commented = Buffer.concat([zip, Buffer.from('comment')]);
    commented.writeUInt16LE(7, zip.length - 2);
    await refuses(commented, /comment/);
  });

  it('that packs better than 100 : 1 beyond a megabyte is refused before it is unpacked', async () => {
    await refuses(await pack([{ name: 'a', content: Buffer.alloc(8 * 1024 * 1024), compress: true }]), /zip bomb/);
  });

  it('that unpacks to more than it declares is refused at that point', async () => {
    const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024));
    const zip = await pack([{ name: 'a', content: Buffer.alloc(64 * 1024 * 1024), compress: true }]);
    const small = 1000;
    expect(bomb.length).toBeGreaterThan(small);
    await refuses(patched(patched(zip, 'local', 22, small, 4), 'directory', 24, small, 4), /too many bytes|sound ZIP/);
  });

  it('of more than 1000 entries, or with a large one, is refused', async () => {
    await refuses(await pack(Array.from({ length: 1001 }, (_, at) => ({ name: `${at}`, content: Buffer.alloc(0) }))), /more than 1000 entries/);
    await refuses(await pack([{ name: 'a', content: Buffer.alloc(LIMIT + 1) }]), /larger than/);
  });

  it('with any byte changed is refused, or read as if it were not', async () => {
    const zip = await pack([
      { name: 'mimetype', content: Buffer.from('media type') },
      { name: 'a.txt', content: Buffer.from('content '.repeat(20)), compress: true },
    ]);
    const contents = await readAll(zip);
    const outcomes: string[] = [];
    for (let at = 0; at < zip.length; at += 1) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const wrong = Buffer.from(zip);
        wrong[at] = (wrong[at] ?? 0) ^ mask;
        const outcome = await readAll(wrong).then(
          (read) => (isDeepStrictEqual(read, contents) ? 'the same' : `${at} ^ ${mask}: other contents`),
          (error: unknown) => (error instanceof UnreadableContainer ? 'refused' : `${at} ^ ${mask}: ${String(error)}`),
        );
        outcomes.push(outcome);
      }
    }
    expect(new Set(outcomes)).toEqual(new Set(['the same', 'refused']));
  });
});
