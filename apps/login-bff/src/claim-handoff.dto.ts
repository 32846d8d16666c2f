import { IsString } from 'class-validator';

/** The body of POST claim (specification/login-ui.md#post-claim). A string that is no token answers `invalid_handoff`. */
export class ClaimHandoffDto {
  /** The `t` in the address of the page. Single-use. */
  @IsString()
  readonly handoffToken!: string;
}
