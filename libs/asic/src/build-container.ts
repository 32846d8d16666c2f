import type { TrustStore } from '#pki';

import { archiveEntries } from './archive/archive-manifest.js';
import type { ArchiveStamper } from './archive/archive-stamper.js';
import { assembleSignature, type SignatureParts } from './assemble-signature.js';
import { MANIFEST_ENTRY, MEDIA_TYPE, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from './container-layout.js';
import { readManifest } from './manifest.js';
import type { Finding } from './verify/report.js';
import { verifyContainer } from './verify/verify-container.js';
import { writeZip } from './zip/write-zip.js';

export interface ContainerOrder extends SignatureParts {
  /** The stored manifest, byte for byte. */
  readonly manifest: Uint8Array;
  /** Epoch milliseconds: the signed signing time, which the archive's entries carry too. */
  readonly signingTime: number;
  readonly trust: TrustStore;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Makes the archive time-stamp of level LTA, which evidence of level LT can have. Absent: none. */
  readonly archive?: ArchiveStamper | undefined;
}

/** The container that was built breaks a rule and must not be handed out. The findings hold no personal data. */
export class ContainerRefused extends Error {
  constructor(readonly findings: readonly Finding[]) {
    super(`the container breaks its own rules: ${findings.map(({ rule, message }) => `${rule}: ${message}`).join('; ')}`);
    this.name = 'ContainerRefused';
  }
}

/**
 * Second phase: the finished container, without the client's file, which the service has never seen. It is read back
 * and verified like a foreign one before it is answered; the same parts give the same bytes, but for an archive time-stamp. Throws
 * {@link ContainerRefused}, and with an archive time-stamp what {@link ArchiveStamper.stamp} throws.
 */
export const buildContainer = async ({ manifest, signingTime, trust, now, archive, ...parts }: ContainerOrder): Promise<Buffer> => {
  const signature = assembleSignature(parts);
  const { documents = [] } = readManifest(manifest) ?? {};
  const stamps = archive ? [await archive.stamp({ manifest, signature, documents, earlier: [] })] : [];
  const entries = [
    { name: MIMETYPE_ENTRY, content: Buffer.from(MEDIA_TYPE) },
    { name: MANIFEST_ENTRY, content: Buffer.from(manifest) },
    { name: SIGNATURE_ENTRY, content: signature },
    ...archiveEntries(stamps),
  ];
  const container = await writeZip(entries, signingTime);
  const level = archive ? 'LTA' : parts.evidence.level;
  const report = await verifyContainer(container, { trust, now, level });
  if (report.subIndication !== 'SIGNED_DATA_NOT_FOUND' || report.level !== level) throw new ContainerRefused(report.findings);
  return container;
};
