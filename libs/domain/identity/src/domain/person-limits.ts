import { type ClientId, InvalidRequest } from '#kernel';

/** A client whose requests reach the person by code only. */
export type BlockedClient = {
  readonly clientId: ClientId;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the person has reported the client to the operator as well. */
  readonly reported?: true;
};

/** How often in a row the person has declined pushed requests of a client. */
export type DeclinedClient = {
  readonly clientId: ClientId;
  readonly times: number;
  /** The last one, epoch milliseconds. */
  readonly at: number;
};

/** The person has asked on the phone to be logged out at the client. */
export type LogoutWish = {
  readonly clientId: ClientId;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** What a person has said about clients. */
export type PersonLimits = {
  readonly blocked: readonly BlockedClient[];
  readonly declined: readonly DeclinedClient[];
  /** Those of the last minute, one for each client. Absent where there was none. */
  readonly loggedOut?: readonly LogoutWish[];
};

export const NO_LIMITS: PersonLimits = { blocked: [], declined: [] };

/** One event holds all of them, some 80 bytes each. */
const MOST_BLOCKED = 1_000;
const MOST_DECLINED = 100;

/** Milliseconds after which an earlier Decline no longer makes the next wait longer. */
const REMEMBERED = 24 * 3_600_000;
/** The longest wait after a Decline, in milliseconds; a longer first wait stays as it is. */
const LONGEST_WAIT = 3_600_000;

/** Within this time a person who asks for a log-out once more repeats the wish, in milliseconds. */
const ONE_WISH = 60_000;

/** Answers the same object where nothing changes. Throws {@link InvalidRequest} beyond a thousand clients. */
export const withBlocked = (limits: PersonLimits, client: BlockedClient): PersonLimits => {
  const earlier = limits.blocked.find(({ clientId }) => clientId === client.clientId);
  if (earlier && (earlier.reported || !client.reported)) return limits;
  const others = limits.blocked.filter((each) => each !== earlier);
  if (others.length >= MOST_BLOCKED) throw new InvalidRequest(`${MOST_BLOCKED} clients are blocked already.`);
  return { ...limits, blocked: [...others, { ...client, at: earlier?.at ?? client.at }] };
};

/** Answers the same object where nothing changes. */
export const withoutBlocked = (limits: PersonLimits, clientId: ClientId): PersonLimits =>
  isBlocked(limits, clientId) ? { ...limits, blocked: limits.blocked.filter((each) => each.clientId !== clientId) } : limits;

export const isBlocked = ({ blocked }: PersonLimits, clientId: ClientId): boolean => blocked.some((each) => each.clientId === clientId);

export const withDecline = (limits: PersonLimits, clientId: ClientId, now: number): PersonLimits => {
  const kept = limits.declined.filter(({ at }) => now < at + REMEMBERED);
  const times = (kept.find((each) => each.clientId === clientId)?.times ?? 0) + 1;
  const others = kept.filter((each) => each.clientId !== clientId).slice(-(MOST_DECLINED - 1));
  return { ...limits, declined: [...others, { clientId, times, at: now }] };
};

/** Answers the same object for a wish that repeats the one before. */
export const withLogout = (limits: PersonLimits, clientId: ClientId, now: number): PersonLimits => {
  const recent = (limits.loggedOut ?? []).filter(({ at }) => now < at + ONE_WISH);
  if (recent.some((each) => each.clientId === clientId)) return limits;
  return { ...limits, loggedOut: [...recent, { clientId, at: now }] };
};

/**
 * The milliseconds that the client still has to wait after a Decline; 0: none. `first`: the wait after one Decline, in milliseconds. Each further one within a day
 * doubles it, up to an hour.
 */
export const waitAfterDecline = (
  { declined }: PersonLimits,
  clientId: ClientId,
  { now, first }: { readonly now: number; readonly first: number },
): number => {
  const found = declined.find((each) => each.clientId === clientId);
  if (!found || now >= found.at + REMEMBERED) return 0;
  const wait = Math.max(first, Math.min(first * 2 ** (found.times - 1), LONGEST_WAIT));
  return Math.max(0, found.at + wait - now);
};
