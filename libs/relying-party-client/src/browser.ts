// The part of the SDK that runs in a browser: it needs no secret, no Node and no package.
export { attachBlob, AttachRefused, readEvidence, type SignatureEvidence } from '../../asic/src/browser.js';
export { watchAppLink } from './app-link.js';
