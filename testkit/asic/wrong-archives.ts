import { archiveTokenEntry, ARCHIVE_MANIFEST_ENTRY, SIGNATURE_ENTRY } from '#signatures/asic';
import { completed, entriesOf, pack } from './forge-container.js';
import { SigningKit } from './signing-kit.js';
import { BOTH, type Row } from './wrong-container.js';

const TOKEN = archiveTokenEntry(1);
const DOCUMENT = /<asic:DataObjectReference MimeType="application\/octet-stream".*?<\/asic:DataObjectReference>/;

/** Wrong archive time-stamps of containers of level LTA. */
export const archiveTimeStampRows = (kit: SigningKit): readonly Row[] => {
  const made = async (): Promise<Buffer> => completed(await kit.container(kit.sign(await kit.signer()), 'LTA'));
  const contentOf = async (container: Buffer, name: string): Promise<Buffer> =>
    (await entriesOf(container)).find((entry) => entry.name === name)?.content ?? Buffer.alloc(0);
  const replaced = async (container: Buffer, contents: Readonly<Record<string, Buffer>>): Promise<Buffer> =>
    pack((await entriesOf(container)).map(({ name, content }) => ({ name, content: contents[name] ?? content })));
  /** Another archive manifest, with a right token over it. */
  const restamped = async (change: (xml: string) => string, by = kit): Promise<Buffer> => {
    const container = await made();
    const manifest = Buffer.from(change((await contentOf(container, ARCHIVE_MANIFEST_ENTRY)).toString()));
    const token = await by.archive.withProof(await by.timestampAuthority.stamp(manifest));
    return replaced(container, { [ARCHIVE_MANIFEST_ENTRY]: manifest, [TOKEN]: token });
  };
  return [
    {
      title: 'an archive manifest without the document',
      rule: 'archive-manifest',
      ...BOTH,
      level: 'LTA',
      forge: () => restamped((xml) => xml.replace(DOCUMENT, '')),
    },
    {
      title: 'an archive manifest changed afterwards',
      rule: 'archive-changed',
      ...BOTH,
      level: 'LTA',
      forge: async () => {
        const container = await made();
        const manifest = (await contentOf(container, ARCHIVE_MANIFEST_ENTRY)).toString();
        const other = manifest.replace(/DigestValue>(.)/, (_, first) => `DigestValue>${first === 'A' ? 'B' : 'A'}`);
        return replaced(container, { [ARCHIVE_MANIFEST_ENTRY]: Buffer.from(other) });
      },
    },
    {
      title: 'an archive time-stamp over something else',
      rule: 'archive-time-stamp',
      ...BOTH,
      level: 'LTA',
      forge: async () => replaced(await made(), { [TOKEN]: (await kit.timestampAuthority.stamp(Buffer.from('something else'))).token }),
    },
    {
      title: 'an archive time-stamp of an authority that is not trusted',
      rule: 'archive-time-stamp',
      ...BOTH,
      level: 'LTA',
      forge: async () => restamped((xml) => xml, await SigningKit.open(kit.clock.now())),
    },
    {
      title: 'an archive time-stamp of another signature',
      rule: 'archive-changed',
      ...BOTH,
      level: 'LTA',
      forge: async () => replaced(await made(), { [SIGNATURE_ENTRY]: await contentOf(await made(), SIGNATURE_ENTRY) }),
    },
  ];
};
