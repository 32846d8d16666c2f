/** What `Retry-After` (RFC 9110 section 10.2.3) asks for, in milliseconds from now; undefined when it is absent or makes no sense. */
export const retryAfterOf = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
