/** Certificates in base64 DER. The chain begins with the issuing CA and ends with the root. */
export interface SigningCertificate {
  readonly signingCertificate: string;
  readonly certificateChain: readonly string[];
}

/** Without a certificate if the service signs nothing. */
export interface Enrolled extends Partial<SigningCertificate> {
  readonly deviceId: string;
  readonly name: string;
}

/** The status of this phone at the service. */
export interface DeviceStatus {
  readonly status: string;
  /** Epoch seconds; absent on a LOCKED device: only a new enrolment unlocks it. */
  readonly lockedUntil?: number;
}

/** The service's answer to the right PIN. */
export interface AcceptedPin {
  /** Of a signature: the service's time of the PIN, to be signed. Epoch seconds. */
  readonly signingTime?: number;
}

/** The service's answer to an approval. */
export interface Confirmed {
  /** Of a hosted login that was opened by a link: where this browser goes on. */
  readonly returnUrl?: string;
  /** Six digits for the person, who types them only into the browser on this phone (specification/login-ui.md#finishing-by-a-number). */
  readonly number?: string;
}

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
