import { Transform } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';

import { digitsToNumber, Optional } from '#http';

/** The query of every list. */
export class PageDto {
  /** The number of entries in a page: 1 to 100. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;

  /** `next` of the previous page. */
  @Optional()
  @IsUUID('loose')
  readonly after?: string;
}
