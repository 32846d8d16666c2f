import { GUARDED } from './environment.js';
import type { ReadSettings } from './read-settings.js';

/** The smallest and the largest value of a setting. */
export type Bounds = readonly [least: number, most: number];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The bounds of lifetimes, limits and retentions in a guarded environment, both included. The check of a start and `docs/configuration.md` read this list. A code
 * is valid for 60 seconds at most, as the specification says (RFC 6749 §4.1.2 and FAPI 2.0 allow no more than ten minutes and one).
 */
export const GUARDED_BOUNDS: Readonly<Record<string, Bounds>> = {
  SESSION_TTL: [30, 10 * MINUTE],
  PUSH_SESSION_TTL: [30, 15 * MINUTE],
  CODE_TTL: [10, MINUTE],
  HANDOFF_TTL: [10, MINUTE],
  SIGNING_BUILD_TTL: [10, 10 * MINUTE],
  RESULT_RETENTION: [MINUTE, DAY],
  SESSION_RETENTION: [DAY, 400 * DAY],
  KAFKA_RETENTION_HOURS: [24, 90 * 24],
  RELAY_LEASE: [5, 2 * MINUTE],
  RELAY_REFILL_HORIZON: [HOUR, 90 * DAY],
  AUTHENTICATION_FAILURE_LIMIT: [10, 3_000],
  POLL_LIMIT: [60, 12_000],
  PUSH_LIMIT: [1, 20],
  PUSH_LIMIT_WINDOW: [MINUTE, DAY],
  PUSH_PERSON_LIMIT: [5, 60],
  PUSH_DECLINE_WAIT: [10, HOUR],
  PORTAL_IDLE: [MINUTE, HOUR],
  PORTAL_PHONE_WAIT: [HOUR, 30 * DAY],
  WEBHOOK_PING_LIMIT: [1, 10],
  WEBHOOK_PING_LIMIT_WINDOW: [5, HOUR],
  WEBHOOK_RECOVER_LIMIT: [1, 60],
  WEBHOOK_RECOVER_LIMIT_WINDOW: [10 * MINUTE, DAY],
};

/** The settings that lie outside of their bounds. `nameOf`: the environment variable of a property. */
export const boundProblems = (settings: ReadSettings, nameOf: ReadonlyMap<string, string>): readonly string[] =>
  Object.entries(settings).flatMap(([property, value]) => {
    const name = nameOf.get(property) ?? '';
    const [least = -Infinity, most = Infinity] = GUARDED_BOUNDS[name] ?? [];
    if (typeof value !== 'number' || (value >= least && value <= most)) return [];
    return [`${name} must be from ${least} to ${most}, ${GUARDED}. Set ${name} to such a number, or leave ${name} out.`];
  });
