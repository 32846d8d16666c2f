import { IsString } from 'class-validator';

/** Specification, "POST claim". Any string may be tried; what is no token answers `invalid_handoff`. */
export class ClaimHandoffDto {
  @IsString()
  readonly handoffToken!: string;
}
