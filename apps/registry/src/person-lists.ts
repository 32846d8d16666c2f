import type { Platform } from '#service/platform';

/** Raises the alarm about lists of persons: they show the data of up to a hundred persons at once. The audit trail tells who has read whom. */
export class PersonLists {
  constructor(private readonly parts: Pick<Platform, 'log' | 'metrics'>) {}

  /** `count`: the persons on the page. */
  listed(count: number): void {
    this.parts.metrics.personLists.inc();
    this.parts.log.warn('persons were listed', { component: 'registry', count });
  }
}
