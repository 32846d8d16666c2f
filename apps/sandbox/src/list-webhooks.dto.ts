import { IsUUID } from 'class-validator';

import { QueryNumber } from '#service/http';

const MOST = 1_000;

/** The query of `GET /webhooks`. */
export class ListWebhooksDto {
  /** The client that would get them, or got them. */
  @IsUUID('loose')
  readonly client_id!: string;

  /** The `number` of the last one that is known. Default: none. */
  @QueryNumber(0)
  readonly after?: number;

  /** How many. Default: 1000, which is all that are kept. */
  @QueryNumber(1, MOST)
  readonly limit?: number;
}

/** All that are kept. */
export const ALL = MOST;
