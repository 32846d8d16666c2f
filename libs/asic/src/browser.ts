// The parts that run in a browser, free of Node: the entry for bundles of web pages.
export { attachBlob } from './attach/attach-blob.js';
export { AttachRefused } from './attach/attach-refused.js';
export { readEvidence, type SignatureEvidence } from './evidence/read-evidence.js';
