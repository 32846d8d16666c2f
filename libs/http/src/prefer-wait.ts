/** Longer waits count as this one (api-extensions 1, row 16). */
const LONGEST_WAIT = 30;

const WAIT = /^\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?:;.*)?$/i;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240 section 4.3), at most 30; undefined when the header says nothing
 * of the kind. Of several the first one counts; what is not understood is ignored (section 2).
 */
export const preferredWait = (header: string | readonly string[] | undefined): number | undefined => {
  if (header === undefined) return undefined;
  const preferences = (typeof header === 'string' ? header : header.join(',')).split(',');
  const first = preferences.find((preference) => /^\s*wait\s*(?:[=;]|$)/i.test(preference));
  const [, token, quoted] = WAIT.exec(first ?? '') ?? [];
  const seconds = token ?? quoted;
  return seconds === undefined ? undefined : Math.min(Number(seconds), LONGEST_WAIT);
};
