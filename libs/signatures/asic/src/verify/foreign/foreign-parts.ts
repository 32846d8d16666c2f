import type { ZipReader } from '../../zip/zip-reader.js';
import type { ContainerParts } from '../container-parts.js';
import { readEntry } from '../read-entry.js';
import type { Findings, ReportedDocument } from '../report.js';
import { isArchivePart, isManifest, isPart, isSignature, isXades } from './entry-names.js';
import { type DataObject, type ForeignManifest, readForeignManifest, UnknownManifest } from './read-foreign-manifest.js';

const MAX_SIGNATURES = 50;
const ALGORITHMS = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: undefined } as const;

/**
 * The signatures of an ASiC-E container of another form (EN 319 162-1 §4.4, A.4): each manifest names a CAdES signature, and the files that this
 * signature is over. What is not known here is a finding that says nothing against the container.
 */
export const foreignParts = async (zip: ZipReader, findings: Findings): Promise<readonly ContainerParts[]> => {
  const names = zip.entries.map(({ name }) => name);
  const archive = names.filter(isArchivePart);
  if (archive.length > 0) findings.cannotJudge('archive-manifest', 'archive time-stamps of another form');
  const manifests = names.filter((name) => isManifest(name) && !isArchivePart(name));
  const signatures = names.filter(isSignature);
  if (manifests.length === 0 || signatures.length === 0 || signatures.length > MAX_SIGNATURES) {
    findings.cannotJudge('form', formOf(names));
    return [];
  }
  const parts: ContainerParts[] = [];
  const files = new Files(zip, findings);
  for (const name of manifests) {
    const part = await partOf(zip, name, files, findings);
    if (part) parts.push(part);
  }
  const linked = new Set(parts.map(({ entry }) => entry));
  findings.require(linked.size === parts.length, 'manifest', 'two manifests name one signature');
  for (const entry of signatures.filter((name) => !linked.has(name))) reportUnlinked(entry, findings);
  reportUnsigned(names, parts, findings);
  return parts;
};

/** A signature without a manifest is over nothing, unless a manifest was not understood. */
const reportUnlinked = (entry: string, findings: Findings): void => {
  const message = `${JSON.stringify(entry)} is named by no manifest that can be read, so it is over no file`;
  if (findings.list.some(({ rule, unjudged }) => rule === 'manifest' && unjudged)) findings.cannotJudge('manifest', message);
  else findings.add('manifest', message);
};

const formOf = (names: readonly string[]): string => {
  if (names.some(isXades)) return 'the container holds XAdES signatures, which are not judged here';
  if (names.some(isArchivePart)) return 'the container holds time-stamps and no signature';
  return 'this is no ASiC-E container with a CAdES signature and its manifest';
};

const partOf = async (zip: ZipReader, name: string, files: Files, findings: Findings): Promise<ContainerParts | undefined> => {
  const manifestBytes = (await readEntry(zip, name)) ?? Buffer.alloc(0);
  const manifest = understood(manifestBytes, name, findings);
  if (!manifest) return undefined;
  const signatureBytes = isSignature(manifest.signature) ? await readEntry(zip, manifest.signature) : undefined;
  if (!signatureBytes) {
    const message = `the manifest ${JSON.stringify(name)} names ${JSON.stringify(manifest.signature)}, which is no signature in the container`;
    if (isArchivePart(manifest.signature)) findings.cannotJudge('form', message);
    else findings.add('manifest', message);
    return undefined;
  }
  const documents: ReportedDocument[] = [];
  for (const object of manifest.objects) documents.push(await files.check(object));
  return { entry: manifest.signature, manifestBytes, manifest: undefined, signatureBytes, documents, archive: [] };
};

const understood = (bytes: Buffer, name: string, findings: Findings): ForeignManifest | undefined => {
  try {
    return readForeignManifest(bytes);
  } catch (error) {
    if (!(error instanceof UnknownManifest)) throw error;
    findings.cannotJudge('manifest', `the manifest ${JSON.stringify(name)} is of a form that is not known here: ${error.message}`);
    return undefined;
  }
};

/** Each file is hashed once by each algorithm, however many manifests name it. */
class Files {
  private readonly digests = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly zip: ZipReader,
    private readonly findings: Findings,
  ) {}

  async check({ name, hash, digest }: DataObject): Promise<ReportedDocument> {
    const entry = this.zip.find(name);
    const algorithm = hash && ALGORITHMS[hash];
    const reported = { name, hash: digest.toString('hex'), ...(algorithm && { algorithm }), present: entry !== undefined };
    if (!hash) this.findings.cannotJudge('form', `the digest of ${JSON.stringify(name)} is by an algorithm that is not judged here`);
    else if (entry) {
      const key = `${hash} ${name}`;
      const computed = this.digests.get(key) ?? this.zip.digest(entry, hash);
      this.digests.set(key, computed);
      this.findings.require((await computed).equals(digest), 'file-changed', `${JSON.stringify(name)} is not the one that was signed`);
    }
    return reported;
  }
}

/** A file that no signature covers, or that not every one of several covers. */
const reportUnsigned = (names: readonly string[], parts: readonly ContainerParts[], findings: Findings): void => {
  const covered = parts.map(({ documents = [] }) => new Set(documents.map(({ name }) => name)));
  for (const name of names.filter((one) => !isPart(one) && !isArchivePart(one))) {
    const by = covered.filter((documents) => documents.has(name)).length;
    if (by === 0) findings.cannotJudge('entries', `${JSON.stringify(name)} is in the container but was not signed`);
    else if (by < parts.length) findings.cannotJudge('entries', `${JSON.stringify(name)} is covered by ${by} of ${parts.length} signatures only`);
  }
};
