import { IsIn, IsInt, Max, Min } from 'class-validator';

import { Optional } from '#service/http';

import { PERSONAS, type PersonaName } from './phones/personas.js';

export class CreatePhoneDto {
  /** How the phone behaves. */
  @IsIn(PERSONAS, { message: `must be one of ${PERSONAS.join(', ')}` })
  readonly persona!: PersonaName;

  /** The delay of `slow` before it confirms, in seconds. Default 3. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(600)
  readonly delay_seconds?: number;
}
