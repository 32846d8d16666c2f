import { Transform } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';

import { digitsToNumber, Optional } from '#service/http';

/** The query of GET subject-migrations (specification/relying-party.md#get-subject-migrations). */
export class SubjectMigrationsDto {
  /** The number of entries in a page: 1 to 500. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  readonly limit: number = 100;

  /** `next` of the previous page. */
  @Optional()
  @IsUUID('loose')
  readonly after?: string;
}
