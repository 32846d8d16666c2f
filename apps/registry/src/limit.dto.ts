import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

import { digitsToNumber, Optional } from '#service/http';

/** The length of a page. Every list has it; each list describes its own `after`. */
export class LimitDto {
  /** The number of entries in a page: 1 to 100. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;
}
