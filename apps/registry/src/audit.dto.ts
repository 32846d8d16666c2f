import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

import { digitsToNumber, Optional } from '#http';

/** The query of the audit trail. */
export class AuditDto {
  /** The number of entries in a page: 1 to 100. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;

  /** `next` of the previous page: only entries before this sequence. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly after?: number;
}
