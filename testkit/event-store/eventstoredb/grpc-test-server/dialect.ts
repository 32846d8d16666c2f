/**
 * The servers that the test server speaks like, where they were measured to differ in `$all`. `24.10` stands for EventStoreDB 24.10 and for KurrentDB:
 *
 * - a subscription from beyond the end is caught up, and hands over nothing until the log has grown past that position; 23.10 hands over the next new event;
 * - a position that is no event's is an invalid argument; with 23.10, a failure without a name;
 * - checkpoints carry their position as `prepare` too, also while the subscription catches up; with 23.10, 0.
 */
export const DIALECTS = ['23.10', '24.10'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The versions that were measured. */
export const VERSIONS: Readonly<Record<Dialect, string>> = { '23.10': '23.10.7', '24.10': '24.10.9' };
