import { IsString } from 'class-validator';

import { MaxCodePoints, Optional } from '#service/http';

export class BeginLoginDto {
  /** The code of an invitation's link. */
  @Optional()
  @IsString()
  @MaxCodePoints(100)
  readonly invitation?: string;
}
