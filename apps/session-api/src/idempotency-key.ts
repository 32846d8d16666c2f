import { InvalidRequest } from '#kernel';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Checks the header `Idempotency-Key` (specification/relying-party.md#idempotency-key). Throws {@link InvalidRequest}. */
export const idempotencyKey = (header: string | undefined): string | undefined => {
  if (header === undefined || VISIBLE_ASCII.test(header)) return header;
  throw new InvalidRequest('The header `Idempotency-Key` must be 1 to 255 visible ASCII characters.');
};
