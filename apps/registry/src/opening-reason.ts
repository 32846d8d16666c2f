import { InvalidRequest } from '#kernel';

/** The name of a case or a ticket. The audit trail keeps it for ever in clear, so it is no place for a name or a text about a person. */
export const OPENING_REASON = /^[a-z0-9][a-z0-9._-]{2,63}$/;

/** The `reason` in the body of an opening. Throws {@link InvalidRequest} for another field and another form; undefined where there is none. */
export const openingReasonIn = (body: unknown): string | undefined => {
  const { reason, ...others } = Object(body) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new InvalidRequest('The body may hold `reason` alone.', 'unknown field');
  if (reason === undefined || reason === null) return undefined;
  if (typeof reason !== 'string' || !OPENING_REASON.test(reason))
    throw new InvalidRequest('`reason` must have 3 to 64 of a-z 0-9 . _ - and begin with a letter or a digit: the case or the ticket.');
  return reason;
};
