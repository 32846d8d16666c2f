import { IsInt, Max, Min } from 'class-validator';

/** A leap year, in seconds. */
const LONGEST_MOVE = 366 * 24 * 60 * 60;

export class MoveClockDto {
  @IsInt()
  @Min(1)
  @Max(LONGEST_MOVE)
  readonly advance_seconds!: number;
}
