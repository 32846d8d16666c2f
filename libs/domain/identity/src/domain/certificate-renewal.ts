const LONGEST = 30 * 86_400_000;

/** Whether a certificate is to be renewed: in its last 30 days, or in the last third of a shorter life. Epoch milliseconds. */
export const isRenewalDue = ({ notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number }, now: number): boolean =>
  now >= notAfter - Math.min(LONGEST, (notAfter - notBefore) / 3);
