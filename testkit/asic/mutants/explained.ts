/** One rule by which we refuse containers that EU DSS accepts. */
export interface Stricter {
  /** How our finding begins: `rule: message`. */
  readonly finding: string;
  readonly why: string;
}

/** Every difference between our verdict and that of DSS has one of these reasons. */
export const EXPLAINED: readonly Stricter[] = [
  {
    finding: 'archive: ',
    why: 'DSS reads entry after entry and does not look at the directory, at what surrounds it, or at sizes that contradict each other',
  },
  { finding: 'form: ', why: 'DSS reads other formats, and digests by other algorithms, which we do not judge' },
  { finding: 'mimetype: ', why: 'DSS takes the media type wherever it stands, packed or not' },
  { finding: 'manifest: ', why: 'DSS takes any form of the XML that means the same; we do not judge one that holds what we do not know' },
  { finding: 'manifest-changed: ', why: 'DSS takes any manifest whose name begins like one' },
  { finding: 'entries: ', why: 'DSS takes further files under META-INF, and manifests and signatures under other names' },
  { finding: 'archive-manifest: ', why: 'DSS takes any form of an archive manifest, and leaves out one that it cannot read' },
  {
    finding: 'archive-time-stamp: ',
    why: 'DSS leaves out an archive time-stamp that it cannot read, certificates that nothing uses, and malformed signing-certificate attributes',
  },
  { finding: 'signature-format: the signature holds a certificate', why: 'DSS takes certificates that nothing uses' },
  { finding: 'signature-format: the signature file is malformed', why: 'DSS reads BER, and leaves out what it cannot read' },
  { finding: 'signature-format: the CMS ', why: 'DSS does not compare the version of the CMS with its contents' },
  { finding: 'signature-format: an unsigned attribute', why: 'DSS leaves out unsigned attributes that it does not know' },
  { finding: 'signature-order: ', why: 'DSS does not look at the order of sets in the stored form' },
  {
    finding: 'signing-certificate: ',
    why: 'DSS takes a signing-certificate attribute whose issuer and serial number are malformed, as long as its hash is right',
  },
  {
    finding: 'time-stamp: ',
    why: 'DSS passes a signature on the strength of its revocation data although the attributes of the token are malformed',
  },
  { finding: 'revocation: ', why: 'DSS leaves out answers that it cannot use as long as another one remains' },
  { finding: 'time-order: ', why: 'DSS does not compare the claimed time, the time-stamp and the answer' },
];

/** The entries of a container that our reader finds, by name. */
export type Entries = ReadonlyMap<string, Buffer>;

/** One form of ASiC-E that we read and EU DSS does not. */
export interface Wider {
  /** Whether a container has the form. */
  isOf(entries: Entries): boolean;
  /** What AsicCheck prints of it. */
  readonly dss: string;
  readonly why: string;
}

const manifestOf = (entries: Entries): string => [...entries].find(([name]) => /asicmanifest/i.test(name))?.[1].toString() ?? '';

/** Every container that we accept and DSS refuses has one of these forms. */
export const WIDER: readonly Wider[] = [
  {
    isOf: (entries) => !manifestOf(entries).startsWith('<?xml'),
    dss: 'The manifest file is absent!',
    why: 'XML needs no declaration (XML 1.0 §2.8); DSS knows a manifest by it',
  },
  {
    isOf: (entries) => [...entries.keys()].some((name) => /asicmanifest/i.test(name) && !name.includes('ASiCManifest')),
    dss: 'The manifest file is absent!',
    why: 'the name of a manifest may be written in small letters; DSS compares every letter',
  },
  {
    isOf: (entries) => /<asic:DataObjectReference [^>]*URI="\.\//.test(manifestOf(entries)),
    dss: 'The manifest entry object has not been found!',
    why: 'a reference that begins with ./ leads to the same file (RFC 3986 §5.2.4); DSS compares the texts',
  },
  {
    isOf: (entries) => /<asic:SigReference [^>]*URI="\.\//.test(manifestOf(entries)),
    dss: 'no manifest names this signature file',
    why: 'a reference that begins with ./ leads to the same file (RFC 3986 §5.2.4); AsicCheck compares the texts',
  },
];
