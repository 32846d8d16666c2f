import { IsUUID } from 'class-validator';

/** The body of `POST /clients/{clientId}/waiting-change/acceptance` and `/refusal`. */
export class DecideChangeDto {
  /** The id of the change that the operator looked at. */
  @IsUUID('loose')
  readonly change_id!: string;
}
