/** Files of `KEY_DIR` with keys that follow one another: the newest makes values, all check them. */
export const RINGS = ['token', 'pin', 'data', 'event', 'checkpoint'] as const;
export type RingName = (typeof RINGS)[number];

/** Files of one key that values depend on for ever. Index before subject: of processes that start at once, none takes a first start for an older installation. */
export const LASTING_KEYS = ['index', 'subject'] as const;

/** Files of key pairs that follow one another, whose public halves relying parties fetch. */
export const SIGNING_RINGS = ['openid'] as const;

export const KEY_FILES = [...RINGS, ...LASTING_KEYS, ...SIGNING_RINGS] as const;
export type KeyFileName = (typeof KEY_FILES)[number];
