/** The wait that `Retry-After` (RFC 9110 §10.2.3) asks for, in milliseconds from `now`; undefined when the header is absent or malformed. */
export const retryAfterOf = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  if (!HTTP_DATE.test(header)) return undefined;
  const date = Date.parse(ASCTIME.test(header) ? `${header} GMT` : header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/** Any of the three forms of RFC 9110 §5.6.7 begins with the day of the week. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
/** The form that names no zone. It means UTC. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
