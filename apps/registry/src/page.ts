import { type Brand, type PageRequest, parseId } from '#kernel';

import type { PageDto } from './page.dto.js';

export const pageRequest = <Id extends Brand<string, string>>({ limit, after }: PageDto): PageRequest<Id> => ({ limit, after: parseId<Id>(after) });

/** An answer that may have another page. */
export interface Paged {
  /**
   * The value of `after` that returns the next page. Absent on the last page.
   *
   * @format uuid
   */
  readonly next?: string;
}
