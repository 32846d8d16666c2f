import type { FindPhoneOrigins } from '#domain/identity';

import type { HumanAdministrator } from '../domain/administrator.js';
import { personOfEnroller } from '../domain/enroller.js';
import type { TokenMakers } from '../repositories/token-makers.js';

/** For this long the enroller of a phone does not count beside its owner, in milliseconds: 7 days. */
const ENROLLER_FOR = 7 * 24 * 3_600_000;

/** Judges whether two approvals come from two persons (specification/admin.md#four-eyes). */
export class JudgeHumans {
  constructor(
    private readonly origins: Pick<FindPhoneOrigins, 'execute'>,
    private readonly makers: Pick<TokenMakers, 'personOf'>,
  ) {}

  /**
   * Whether they are two persons, neither of whom has enrolled the other's phone within the last seven days, in person or by a token of their own. Throws ServiceUnavailable.
   */
  async execute(one: Person, other: Person, now: number): Promise<boolean> {
    if (one.identityId === other.identityId) return false;
    const enrolled = await Promise.all([this.#hasEnrolled(one, other, now), this.#hasEnrolled(other, one, now)]);
    return !enrolled.includes(true);
  }

  /** Any phone of the other one counts: the one in use may have been approved by a fresh one. */
  async #hasEnrolled(one: Person, other: Person, now: number): Promise<boolean> {
    const origins = await this.origins.execute(other.identityId);
    const names = origins.flatMap(({ enrolledAt, enrolledBy }) => (now < enrolledAt + ENROLLER_FOR ? enrolledBy : []));
    const enrollers = await Promise.all([...new Set(names)].map(async (name) => personOfEnroller(name) ?? this.makers.personOf(name)));
    return enrollers.includes(one.identityId);
  }
}

type Person = Pick<HumanAdministrator, 'identityId'>;
