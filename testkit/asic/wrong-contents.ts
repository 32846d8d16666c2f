import { MANIFEST_ENTRY, MIMETYPE_ENTRY } from '#signatures/asic';
import type { ForgedEntry } from './forge-container.js';
import { FILE, FILE_NAME } from './signing-kit.js';
import { BOTH, type Forging, type Row } from './wrong-container.js';

/** Wrong files and manifests. */
export const contentRows = (forging: Forging): readonly Row[] => [
  {
    title: 'another file under the name',
    rule: 'file-changed',
    ...BOTH,
    forge: forging({ entries: replacing(FILE_NAME, { content: Buffer.from('something else') }) }),
  },
  {
    title: 'the file under another name',
    rule: 'entries',
    ...BOTH,
    forge: forging({ entries: replacing(FILE_NAME, { name: 'other.pdf' }) }),
  },
  {
    title: 'a second file that was not signed',
    rule: 'entries',
    ...BOTH,
    forge: forging({ entries: (all) => [...all, { name: 'second.pdf', content: FILE }] }),
  },
  {
    title: 'two entries of one name',
    rule: 'entries',
    ...BOTH,
    forge: forging({ entries: (all) => [...all, { name: FILE_NAME, content: Buffer.from('the other one') }] }),
  },
  {
    title: 'a manifest changed after signing',
    rule: 'manifest-changed',
    ...BOTH,
    forge: forging({
      entries: (all) =>
        all.map((entry) =>
          entry.name === MANIFEST_ENTRY
            ? { ...entry, content: Buffer.from(entry.content.toString().replace('octet-stream', 'octet-streaM')) }
            : entry,
        ),
    }),
  },
  ...['signature001.p7s', '/META-INF/signature001.p7s', 'META-INF/other.p7s'].map((uri) => ({
    title: `a manifest that names the signature ${uri}`,
    rule: 'manifest' as const,
    ...BOTH,
    forge: forging({ manifest: (text) => text.replace('URI="META-INF/signature001.p7s"', `URI="${uri}"`) }),
  })),
];

/** Wrong archives. */
export const archiveRows = (forging: Forging): readonly Row[] => [
  {
    title: 'a file of more than 1 MB packed better than 100 : 1',
    rule: 'archive',
    ...BOTH,
    forge: forging({ entries: replacing(FILE_NAME, { content: Buffer.alloc(4 * 1024 * 1024), compress: true }) }),
  },
  {
    title: 'a media type that is compressed',
    rule: 'mimetype',
    dss: 'accepts',
    bouncyCastle: 'refuses',
    forge: forging({ entries: replacing(MIMETYPE_ENTRY, { compress: true }) }),
  },
  {
    title: 'a media type that comes last',
    rule: 'mimetype',
    dss: 'accepts',
    bouncyCastle: 'refuses',
    forge: forging({ entries: ([first, ...rest]) => [...rest, first as ForgedEntry] }),
  },
  { title: 'no media type', rule: 'mimetype', ...BOTH, forge: forging({ entries: (all) => all.slice(1) }) },
  {
    title: 'a media type with a newline',
    rule: 'mimetype',
    ...BOTH,
    forge: forging({
      entries: (all) =>
        all.map((entry) => (entry.name === MIMETYPE_ENTRY ? { ...entry, content: Buffer.from(`${entry.content.toString()}\n`) } : entry)),
    }),
  },
];

const replacing =
  (name: string, by: Partial<ForgedEntry>) =>
  (all: readonly ForgedEntry[]): readonly ForgedEntry[] =>
    all.map((entry) => (entry.name === name ? { ...entry, ...by } : entry));
