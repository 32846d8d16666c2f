import type { RingKey } from './key-ring.js';

/** A rotation of the subject key (specification/sessions.md#rotation-of-the-subject-key). Times in epoch milliseconds. */
export interface SubjectMigration {
  readonly former: RingKey;
  readonly next: RingKey;
  /** From now on new values are made under `next`. */
  readonly changesAt: number;
  /** Until then clients may name a person by the former value. */
  readonly endsAt: number;
}

/** The key of subjectIds: one, and two while clients migrate their accounts. */
export abstract class SubjectKeys {
  /** Makes the subjectIds that clients receive. */
  abstract current(): RingKey;
  /** Those whose subjectIds a client may use now. */
  abstract accepted(): readonly RingKey[];
  /** Those whose subjectIds stored sessions may name. */
  abstract all(): readonly RingKey[];
  /** Undefined when no accounts have to be migrated, or when the time for it is over. */
  abstract migration(): SubjectMigration | undefined;
}
