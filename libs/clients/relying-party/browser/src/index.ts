// The part of the SDK that runs in a browser: it needs no secret, no Node and no package.
export { attachBlob, AttachRefused, readEvidence, type SignatureEvidence } from '../../../../signatures/asic/browser/src/index.js';
export { watchAppLink } from '../../src/app-link.js';
