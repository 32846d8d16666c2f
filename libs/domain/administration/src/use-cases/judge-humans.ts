import type { FindPhoneOrigins } from '#domain/identity';

import { enrollerName } from '../domain/enroller.js';
import type { HumanAdministrator } from '../domain/administrator.js';

/** For this long the enroller of a phone does not count beside its owner, in milliseconds: 7 days. */
const ENROLLER_FOR = 7 * 24 * 3_600_000;

/** Judges whether two approvals come from two persons (specification/admin.md#four-eyes). */
export class JudgeHumans {
  constructor(private readonly origins: Pick<FindPhoneOrigins, 'execute'>) {}

  /** Whether they are two persons, neither of whom has enrolled the other's phone within the last seven days. Throws ServiceUnavailable. */
  async execute(one: Person, other: Person, now: number): Promise<boolean> {
    if (one.identityId === other.identityId) return false;
    const enrolled = await Promise.all([this.#hasEnrolled(one, other, now), this.#hasEnrolled(other, one, now)]);
    return !enrolled.includes(true);
  }

  /** Any phone of the other one counts: the one in use may have been approved by a fresh one. */
  async #hasEnrolled(one: Person, other: Person, now: number): Promise<boolean> {
    const origins = await this.origins.execute(other.identityId);
    return origins.some(({ enrolledAt, enrolledBy }) => now < enrolledAt + ENROLLER_FOR && enrolledBy.includes(enrollerName(one.identityId)));
  }
}

type Person = Pick<HumanAdministrator, 'identityId'>;
