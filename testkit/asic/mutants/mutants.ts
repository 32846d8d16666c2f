import { ARCHIVE_MANIFEST_ENTRY, archiveTokenEntry, MANIFEST_ENTRY, SIGNATURE_ENTRY } from '#signatures/asic';
import { ZipReader } from '#signatures/asic';
import { completed, forgeContainer, type ForgedEntry, type Forgery, pack } from '../forge-container.js';
import type { SigningKit } from '../signing-kit.js';
import { mutateBytes } from './mutate-bytes.js';
import { mutateDer } from './mutate-der.js';
import { mutateEntries } from './mutate-entries.js';
import { mutateManifest } from './mutate-manifest.js';
import { Random } from './random.js';
import { attribute, encode, octetString, raw } from '#signatures/pki';

/** A container that differs in one place, or in two, from a valid one of level LT with its file. */
export interface Mutant {
  readonly title: string;
  readonly container: Buffer;
}

type Family = (kit: SigningKit, base: Buffer, random: Random) => Promise<Buffer>;

/** The kinds of change, taken in turn. `signed`: the signature is made after the change. */
const FAMILIES: Readonly<Record<string, Family>> = {
  'a byte of the archive': (_, base, random) => Promise.resolve(mutateBytes(base, random)),
  'a byte of the signature file': (_, base, random) => withSignature(base, (der) => mutateBytes(der, random)),
  'a value of the signature file': (_, base, random) => withSignature(base, (der) => mutateDer(der, random)),
  'the manifest': (_, base, random) =>
    withEntries(
      base,
      replacing(MANIFEST_ENTRY, (text) => Buffer.from(mutateManifest(text.toString(), random))),
    ),
  'the manifest, signed': (kit, _, random) => forge(kit, { manifest: (text) => mutateManifest(text, random) }),
  'a signed attribute, signed': (kit, _, random) => forge(kit, attributesChangedBy(random)),
  'the entries': (_, base, random) => withEntries(base, (entries) => mutateEntries(entries, random)),
  'an archive time-stamp': async (kit, _, random) => withArchive(await archived(kit), random),
  'two values of the signature file': (_, base, random) => withSignature(base, (der) => mutateDer(der, random, 2)),
};

const NAMES = Object.keys(FAMILIES);

/**
 * Mutants numbered from `first`, one after the other, of `base` or of containers that the kit signs. A mutant is repeatable by its number, except
 * for the keys of the kit.
 */
export async function* mutants(kit: SigningKit, base: Buffer, count: number, first = 0): AsyncGenerator<Mutant> {
  for (let number = first; number < first + count; number += 1) {
    const name = NAMES[number % NAMES.length] as string;
    const container = await (FAMILIES[name] as Family)(kit, base, new Random(number));
    yield { title: `${number}: ${name}`, container };
  }
}

const forge = (kit: SigningKit, forgery: Forgery): Promise<Buffer> => forgeContainer(kit, forgery);

const attributesChangedBy = (random: Random): Forgery => ({
  attributes: (standard) => {
    const all = Object.values(standard).map(encode);
    const at = random.below(all.length + 1);
    if (at === all.length) return [...all.map(raw), attribute('1.2.3.4', octetString(Buffer.of(1)))];
    return all.map((der, index) => raw(index === at ? mutateDer(der, random) : der));
  },
});

const archived = async (kit: SigningKit): Promise<Buffer> => completed(await kit.container(kit.sign(await kit.signer()), 'LTA'));

const withArchive = (container: Buffer, random: Random): Promise<Buffer> =>
  random.below(2) === 0
    ? withEntries(
        container,
        replacing(archiveTokenEntry(1), (der) => mutateDer(der, random)),
      )
    : withEntries(
        container,
        replacing(ARCHIVE_MANIFEST_ENTRY, (text) => Buffer.from(mutateManifest(text.toString(), random))),
      );

const withSignature = (container: Buffer, change: (der: Buffer) => Buffer): Promise<Buffer> =>
  withEntries(container, replacing(SIGNATURE_ENTRY, change));

const replacing =
  (name: string, change: (content: Buffer) => Buffer) =>
  (entries: readonly ForgedEntry[]): readonly ForgedEntry[] =>
    entries.map((entry) => (entry.name === name ? { ...entry, content: change(entry.content) } : entry));

const withEntries = async (container: Buffer, change: (entries: readonly ForgedEntry[]) => readonly ForgedEntry[]): Promise<Buffer> => {
  await using zip = await ZipReader.open(container);
  const entries: ForgedEntry[] = [];
  for (const entry of zip.entries) entries.push({ name: entry.name, content: await zip.read(entry, 1 << 20) });
  return pack(change(entries));
};
