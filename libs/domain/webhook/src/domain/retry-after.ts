/** The wait that `Retry-After` (RFC 9110 §10.2.3) asks for, in milliseconds from `now`; undefined when the header is absent or malformed. */
export const retryAfterOf = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
