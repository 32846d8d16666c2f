import type { DeviceId, IdentityId, SubjectId } from '#kernel';
import { type StreamName, streamName } from '#engines/event-store';

export const identityStream = (identityId: IdentityId): StreamName => streamName('identity', identityId);
export const personalDataStream = (identityId: IdentityId): StreamName => streamName('identitydata', identityId);
export const inboxStream = (identityId: IdentityId): StreamName => streamName('inbox', identityId);
export const deviceStream = (deviceId: DeviceId): StreamName => streamName('device', deviceId);
export const subjectStream = (subjectId: SubjectId): StreamName => streamName('subject', subjectId);
/** `serial` in lower-case hex. */
export const certificateStream = (serial: string): StreamName => streamName('certificate', serial);
