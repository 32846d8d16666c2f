import { IsUUID } from 'class-validator';

import { Optional } from '#service/http';

import { LimitDto } from './limit.dto.js';

/** The query of every list of resources. */
export class PageDto extends LimitDto {
  /** `next` of the previous page. */
  @Optional()
  @IsUUID('loose')
  readonly after?: string;
}
