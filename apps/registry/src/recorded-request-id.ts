import { sha256Base64url } from '#kernel';

/** As this service and gateways make them: UUIDs, or 32 hexadecimal digits. */
const MADE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** The id of a request as the audit trail has it for ever. One that the caller has made up, which may be any text, stands there as its SHA-256 (base64url). */
export const recordedRequestId = (requestId: string): string => (MADE.test(requestId) ? requestId : sha256Base64url(requestId));
