export { firstArchiveOf } from './archive/archive-manifest.js';
export { ArchiveStamper } from './archive/archive-stamper.js';
export { renewArchive, RenewalRefused } from './archive/renew-archive.js';
export { assembleSignature, type Evidence, type SignatureParts } from './assemble-signature.js';
export { atSigningTime } from './at-signing-time.js';
export { attachFile } from './attach/attach-file.js';
export { AttachRefused } from './attach/attach-refused.js';
export { buildContainer, type ContainerOrder, ContainerRefused } from './build-container.js';
export { CertificateNotGood, CollectEvidence } from './collect-evidence.js';
export { prepareSignature } from './prepare-signature.js';
export { MAX_DOCUMENTS, namesDocuments } from './manifest.js';
export { collidingName, isSignedDataName } from './signed-data-name.js';
export { validationReport } from './verify/etsi-report/validation-report.js';
export { explainReport } from './verify/explain-report.js';
export { isUnjudged } from './verify/indication.js';
export type { ContainerReport } from './verify/report.js';
export { validateContainer, verifyContainer } from './verify/verify-container.js';
export { type DeviceSignature, verifyDeviceSignature, verifyStoredSignature } from './verify-device-signature.js';
export { type SignedDocument, type SignedRequest, writeManifest } from './manifest.js';
export { attachBlob } from './attach/attach-blob.js';
export {
  ARCHIVE_MANIFEST_ENTRY,
  LEVELS,
  type Level,
  MANIFEST_ENTRY,
  MEDIA_TYPE,
  MIMETYPE_ENTRY,
  SIGNATURE_ENTRY,
  archiveTokenEntry,
} from './container-layout.js';
export { derFromP1363 } from './verify-device-signature.js';
export { ZipReader } from './zip/zip-reader.js';
export { type PreparedSignature } from './prepare-signature.js';
export { type Rule } from './verify/report.js';
