// The parts that run in a browser, free of Node: the entry for bundles of web pages.
export { attachBlob } from '../../src/attach/attach-blob.js';
export { AttachRefused } from '../../src/attach/attach-refused.js';
export { readEvidence, type SignatureEvidence } from '../../src/evidence/read-evidence.js';
