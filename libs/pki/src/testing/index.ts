export type { CertificateProfile } from '../certificates/certificate-profiles.js';
export { canRun, missingCommands } from './foreign-programs.js';
export { startPeer } from './peer.js';
export { type KeyPair, newKey, signingRequest } from './signing-requests.js';
export { PROFILES, testUnit, withExtensions } from './test-certificates.js';
export { inTemporaryFolder } from './temporary-folder.js';
export { testCrl } from './test-crl.js';
export { unverifiedOcsp, unverifiedTimeStamp } from './unverified-evidence.js';
export { startIssuingCmpServer } from './cmp-server.js';
