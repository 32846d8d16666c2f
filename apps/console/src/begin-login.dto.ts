import { IsString, MaxLength } from 'class-validator';

import { Optional } from '#http';

export class BeginLoginDto {
  /** The code of an invitation's link. */
  @Optional()
  @IsString()
  @MaxLength(100)
  readonly invitation?: string;
}
