/** The bytes of a request are refused, whatever it asks for: 400, 415 or 417 with `invalid_request` (specification/conventions.md#http). */
export class TransportRefusal extends Error {
  /** `detail`: for the developer of the caller. */
  constructor(
    readonly statusCode: 400 | 415 | 417,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}
