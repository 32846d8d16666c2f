export { DevelopmentCertificateAuthority } from './development/development-certificate-authority.js';
export { type DevelopmentPki, DevelopmentPkiRefused, type DevelopmentPkiSettings, openDevelopmentPki } from './development/development-pki.js';
