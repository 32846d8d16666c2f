import type { Answers } from './answers.js';

/** The certificate of this phone, and its chain. */
export type SigningCertificate = Answers['POST /app/v1/device/certificate'];

/** Without a certificate if the service signs nothing. */
export type Enrolled = Answers['POST /app/v1/device'];

/** The status of this phone at the service. */
export interface DeviceStatus extends Pick<Answers['GET /app/v1/device'], 'lockedUntil'> {
  /** `ACTIVE` or `LOCKED`; a later service may answer others. */
  readonly status: string;
}

/** The service's answer to the right PIN. */
export type AcceptedPin = Omit<Answers['POST /app/v1/session/{sessionId}/pin'], 'accepted'>;

/** The service's answer to an approval. */
export type Confirmed = Omit<Answers['POST /app/v1/session/{sessionId}/confirm'], 'status'>;

type Json = Readonly<Record<string, unknown>>;

export const readEnrolled = ({ deviceId, name, signingCertificate, certificateChain }: Json): Enrolled | undefined =>
  typeof deviceId === 'string'
    ? {
        deviceId,
        name: typeof name === 'string' ? name : '',
        ...(typeof signingCertificate === 'string' && { signingCertificate }),
        ...(Array.isArray(certificateChain) && { certificateChain: certificateChain.filter((item) => typeof item === 'string') }),
      }
    : undefined;

export const readCertificate = ({ signingCertificate, certificateChain }: Json): SigningCertificate | undefined =>
  typeof signingCertificate === 'string' && Array.isArray(certificateChain)
    ? { signingCertificate, certificateChain: certificateChain.filter((item) => typeof item === 'string') }
    : undefined;

export const readHolderName = ({ givenName, familyName }: Json): string | undefined =>
  typeof givenName === 'string' && typeof familyName === 'string' ? `${givenName} ${familyName}`.trim() : undefined;

export const readDeviceStatus = ({ status, lockedUntil }: Json): DeviceStatus | undefined =>
  typeof status === 'string' ? { status, ...(typeof lockedUntil === 'number' ? { lockedUntil } : {}) } : undefined;

export const readAccepted = ({ accepted, signingTime }: Json): AcceptedPin | undefined =>
  accepted === true ? { ...(typeof signingTime === 'number' && { signingTime }) } : undefined;

export const readConfirmed = ({ status, returnUrl, number }: Json): Confirmed | undefined =>
  typeof status === 'string' ? { ...(typeof returnUrl === 'string' && { returnUrl }), ...(isNumber(number) && { number }) } : undefined;

const isNumber = (value: unknown): value is string => typeof value === 'string' && /^[0-9]{6}$/.test(value);

export const readStatus = ({ status }: Json): string | undefined => (typeof status === 'string' ? status : undefined);
