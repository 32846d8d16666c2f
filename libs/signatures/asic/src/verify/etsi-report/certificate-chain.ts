import type { Certificate } from '#signatures/pki';

import { reference } from './elements.js';
import { element, type Xml } from './xml.js';

/** The id of a certificate among the validation objects. */
export const certificateId = ({ fingerprint }: Certificate): string => `C-${fingerprint}`;

/** CertificateChainType. `chain`: the signer first, the trusted root last. */
export const certificateChain = ([signer, ...above]: readonly Certificate[]): Xml | undefined => {
  if (!signer) return undefined;
  const root = above.at(-1);
  return element('vr:CertificateChain', [
    reference('vr:SigningCertificate', certificateId(signer)),
    ...above.slice(0, -1).map((certificate) => reference('vr:IntermediateCertificate', certificateId(certificate))),
    root && reference('vr:TrustAnchor', certificateId(root)),
  ]);
};
