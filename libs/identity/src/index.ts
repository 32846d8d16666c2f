export type { PersonalData } from './domain/personal-data.js';
export { CertificateAuthority } from './ports/certificate-authority.js';
