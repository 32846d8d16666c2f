import type { Administrator } from '#domain/administration';
import { beyondLimit, type Limit } from '#engines/rate-limit';
import type { Platform } from '#service/platform';

/** Persons whom one caller opens or searches for in an hour without an alarm. */
const USUAL: Limit = { name: 'person-openings', times: 30, seconds: 3_600 };

/** Raises the alarm about a caller who opens many persons one by one, whatever the reasons given. The audit trail tells who has opened whom. */
export class PersonOpenings {
  constructor(private readonly parts: Pick<Platform, 'log' | 'metrics' | 'rateLimits'>) {}

  /** Counts one opening or search, also one that finds no person. A person counts once, by whatever session. */
  async opened({ id, human }: Administrator): Promise<void> {
    const { log, metrics, rateLimits } = this.parts;
    metrics.personOpenings.inc();
    if (!(await beyondLimit(rateLimits.take(USUAL, human?.identityId ?? id, 'more persons than usual')))) return;
    metrics.unusualPersonOpenings.inc();
    log.warn('one caller opens more persons than usual', { component: 'registry' });
  }
}
