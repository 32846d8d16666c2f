export type { DeviceState, EnrolledDevice, PendingSessions, ScannedSession, SessionOutcome, SignatureAlgorithm } from './app-api.js';
export { type CallOptions, DeviceConnection, type Tampering, type World } from './device-connection.js';
export { type EnrolmentAnswers, enrolmentBody, EnrolmentRefused } from './enrolment.js';
export { type Enrolment, Phone, type PhoneState } from './phone.js';
export { newPhoneKeys, type PhoneKeys, type SigningKeyType } from './phone-keys.js';
export { pinProof } from './pin-proof.js';
export { type QrPayload, qrPayload, readQrPayload, UnreadableQr } from './qr-payload.js';
export type { ErrorBody, Reply } from './reply.js';
export { statementSignature } from './statement-signature.js';
