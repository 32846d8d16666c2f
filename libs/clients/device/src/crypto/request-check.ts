import type { SessionRequest } from '../api/session-request.js';
import type { DeviceRecord } from '../device/device-record.js';
import { checkAuthentication } from './authentication-check.js';
import { type Bytes, fromBase64 } from './bytes.js';
import { checkSigning } from './signing-check.js';

/**
 * Compares the bytes that the phone would sign with the values that it shows.
 *
 * @param now epoch milliseconds of the service
 * @returns the bytes to sign; undefined when they differ from the shown values
 */
export const checkRequest = async (
  request: SessionRequest,
  { keys, signingCertificate }: Pick<DeviceRecord, 'keys' | 'signingCertificate'>,
  now: number,
): Promise<Bytes | undefined> =>
  request.signatureType === 'AUTHENTICATION'
    ? checkAuthentication(request)
    : checkSigning(request, fromBase64(signingCertificate ?? '') ?? new Uint8Array(0), now, keys.signing.algorithm);
