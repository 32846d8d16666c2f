import type { TrustStore } from '#signatures/pki';

import { archiveEntries, type ArchiveTimeStamp } from './archive/archive-manifest.js';
import { type Level, MANIFEST_ENTRY, MEDIA_TYPE, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from './container-layout.js';
import type { Finding } from './verify/report.js';
import { verifyContainer } from './verify/verify-container.js';
import { writeZip } from './zip/write-zip.js';

export interface ContainerOrder {
  /** The stored manifest, byte for byte. */
  readonly manifest: Uint8Array;
  /** The CMS signature, as `assembleSignature` gave it. */
  readonly signature: Uint8Array;
  /** The level that the container must have. */
  readonly level: Level;
  /** Level LTA only. */
  readonly archive?: ArchiveTimeStamp | undefined;
  /** Epoch milliseconds: the signed signing time, which the archive's entries carry too. */
  readonly signingTime: number;
  readonly trust: TrustStore;
  /** Epoch milliseconds. */
  readonly now: number;
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
 * and verified like a foreign one before it is answered; the same parts give the same bytes. Throws {@link ContainerRefused}.
 */
export const buildContainer = async ({ manifest, signature, level, archive, signingTime, trust, now }: ContainerOrder): Promise<Buffer> => {
  const entries = [
    { name: MIMETYPE_ENTRY, content: Buffer.from(MEDIA_TYPE) },
    { name: MANIFEST_ENTRY, content: Buffer.from(manifest) },
    { name: SIGNATURE_ENTRY, content: Buffer.from(signature) },
    ...archiveEntries(archive ? [archive] : []),
  ];
  const container = await writeZip(entries, signingTime);
  const report = await verifyContainer(container, { trust, now, level, form: 'delivered' });
  if (report.subIndication !== 'SIGNED_DATA_NOT_FOUND' || report.level !== level) throw new ContainerRefused(report.findings);
  return container;
};
