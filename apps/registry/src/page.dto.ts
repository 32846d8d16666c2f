import { Transform } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';

import { digitsToNumber, Optional } from '#http';

/** Lists come in pages. */
export class PageDto {
  /** How many at most: 1 to 100. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;

  /** What the page before answered as `next`. */
  @Optional()
  @IsUUID('loose')
  readonly after?: string;
}
