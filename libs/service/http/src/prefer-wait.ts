/** Seconds. Longer waits are cut to it (specification/relying-party.md#long-polling). */
const LONGEST_WAIT = 30;

const WAIT = /^\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?:;.*)?$/i;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240 §4.3), at most 30; undefined when the header has no valid wait. Of several the first one counts;
 * unknown preferences are ignored (§2).
 */
export const preferredWait = (header: string | readonly string[] | undefined): number | undefined => {
  if (header === undefined) return undefined;
  const preferences = (typeof header === 'string' ? header : header.join(',')).split(',');
  const first = preferences.find((preference) => /^\s*wait\s*(?:[=;]|$)/i.test(preference));
  const [, token, quoted] = WAIT.exec(first ?? '') ?? [];
  const seconds = token ?? quoted;
  return seconds === undefined ? undefined : Math.min(Number(seconds), LONGEST_WAIT);
};
