import type { Answers } from './answers.js';

type Preview = Answers['GET /app/v1/session/{sessionId}'];

/** Who asks, told before the scan (specification/app.md#get-session). */
export interface SessionPreview extends Omit<Preview, 'sessionId' | 'signatureType'> {
  readonly signing: boolean;
}

export const readPreview = ({
  relyingPartyName,
  relyingPartyDomain,
  signatureType,
  admission,
}: Readonly<Record<string, unknown>>): SessionPreview | undefined => {
  if (typeof relyingPartyName !== 'string' || (signatureType !== 'AUTHENTICATION' && signatureType !== 'SIGNING')) return undefined;
  return {
    relyingPartyName,
    signing: signatureType === 'SIGNING',
    ...(typeof relyingPartyDomain === 'string' && { relyingPartyDomain }),
    ...(typeof admission === 'string' && { admission }),
  };
};
