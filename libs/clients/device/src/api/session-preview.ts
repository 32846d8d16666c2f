import { textsIn } from '../../../../web-page/calls/src/index.js';
import type { Answers } from './answers.js';

type Preview = Answers['GET /app/v1/session/{sessionId}'];

/** Who asks, told before the scan (specification/app.md#get-session). */
export interface SessionPreview extends Omit<Preview, 'sessionId' | 'signatureType'> {
  readonly signing: boolean;
}

export const readPreview = (body: Readonly<Record<string, unknown>>): SessionPreview | undefined => {
  const { relyingPartyName, signatureType } = body;
  if (typeof relyingPartyName !== 'string' || (signatureType !== 'AUTHENTICATION' && signatureType !== 'SIGNING')) return undefined;
  return { relyingPartyName, signing: signatureType === 'SIGNING', ...textsIn(body, 'relyingPartyDomain', 'admission') };
};
