import { QueryNumber } from '#service/http';

/** The length of a page. Every list has it; each list describes its own `after`. */
export class LimitDto {
  /** The number of entries in a page: 1 to 100. */
  @QueryNumber(1, 100)
  readonly limit: number = 50;
}
