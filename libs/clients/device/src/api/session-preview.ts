/** Who asks, told before the scan (specification/app.md#get-session). */
export interface SessionPreview {
  readonly relyingPartyName: string;
  readonly signing: boolean;
  /** Host to which the relying party returns its visitors. */
  readonly relyingPartyDomain?: string;
  /** Of a rotating code: takes the place of the frame, which is too old once the person has decided. */
  readonly admission?: string;
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
