export type { ScannedSession, SessionOutcome } from './app-api.js';
export { DeviceConnection, type Tampering } from './device-connection.js';
export { enrolmentBody, EnrolmentRefused } from './enrolment.js';
export { type Enrolment, Phone, type PhoneState } from './phone.js';
export { newPhoneKeys } from './phone-keys.js';
export { qrPayload, readQrPayload, UnreadableQr } from './qr-payload.js';
export { type Reply, readReply } from './reply.js';
