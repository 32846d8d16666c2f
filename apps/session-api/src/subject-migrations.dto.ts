import { IsUUID } from 'class-validator';

import { Optional, QueryNumber } from '#service/http';

/** The query of GET subject-migrations (specification/relying-party.md#get-subject-migrations). */
export class SubjectMigrationsDto {
  /** The number of entries in a page: 1 to 500. */
  @QueryNumber(1, 500)
  readonly limit: number = 100;

  /** `next` of the previous page. */
  @Optional()
  @IsUUID('loose')
  readonly after?: string;
}
