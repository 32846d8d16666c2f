import { Transform } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';

import { digitsToNumber, Optional } from '#service/http';

const MOST = 1_000;

/** The query of `GET /webhooks`. */
export class ListWebhooksDto {
  /** The client that would get them, or got them. */
  @IsUUID('loose')
  readonly client_id!: string;

  /** The `number` of the last one that is known. Default: none. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly after?: number;

  /** How many. Default: 1000, which is all that are kept. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(MOST)
  readonly limit?: number;
}

/** All that are kept. */
export const ALL = MOST;
