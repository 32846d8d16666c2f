import type { ForgedEntry } from '../forge-container.js';
import type { Random } from './random.js';

type Change = (entries: ForgedEntry[], at: number, random: Random) => void;

const CHANGES: readonly Change[] = [
  (entries, at) => entries.splice(at, 1),
  (entries, at) => entries.push(entries[at] as ForgedEntry),
  (entries, at, random) => entries.push(...entries.splice(random.below(entries.length), 1)),
  (entries, at) => {
    entries[at] = { ...(entries[at] as ForgedEntry), compress: true };
  },
  (entries, at, random) => {
    const entry = entries[at] as ForgedEntry;
    const name = random.pick([entry.name.toLowerCase(), `${entry.name}.txt`, `META-INF/${entry.name}`, entry.name.replaceAll('001', '002')]);
    entries[at] = { ...entry, name };
  },
  (entries, at, random) => {
    const entry = entries[at] as ForgedEntry;
    entries[at] = { ...entry, content: random.pick([Buffer.alloc(0), Buffer.concat([entry.content, Buffer.from('\n')]), entry.content.subarray(1)]) };
  },
  (entries, at, random) => {
    const name = random.pick([
      'other.txt',
      'META-INF/other.txt',
      'META-INF/manifest.xml',
      'META-INF/ASiCManifest002.xml',
      'META-INF/signature002.p7s',
    ]);
    entries.splice(at, 0, { name, content: (entries[at] as ForgedEntry).content });
  },
];

/** The entries of an archive with one change. */
export const mutateEntries = (entries: readonly ForgedEntry[], random: Random): readonly ForgedEntry[] => {
  const changed = [...entries];
  random.pick(CHANGES)(changed, random.below(changed.length), random);
  return changed;
};
