import { idOf, type RecordedEvent } from '#engines/event-store';
import type { ReasonToWake } from '#domain/push';
import type { DeviceId, DomainEvent, IdentityId } from '#kernel';

/** Milliseconds in which the push of a new device, or of a code for one, is attempted. The home screen of the phones also shows a new device until the person confirms it. */
const NOTICE_ATTEMPTS = 3_600_000;

export type Waking =
  | DomainEvent<'SessionPushed', { readonly at: number; readonly expiresAt: number; readonly quiet?: true }>
  | DomainEvent<'DeviceAdded', { readonly at: number; readonly deviceId: DeviceId }>
  | DomainEvent<'ActivationCodeIssued', { readonly at: number; readonly forMember?: boolean }>;

/** Undefined for a session beyond the limit of the person, for the code of a person without power in the portal, and for the other events of a person. */
export const reasonOf = (event: RecordedEvent<Waking>): ReasonToWake | undefined => {
  const { id: eventId, stream, data } = event;
  const person = { eventId, identityId: idOf<IdentityId>(stream), at: data.at };
  switch (event.type) {
    case 'SessionPushed':
      return event.data.quiet ? undefined : { ...person, expiresAt: event.data.expiresAt };
    case 'DeviceAdded':
      return { ...person, expiresAt: data.at + NOTICE_ATTEMPTS, reason: 'NEW_DEVICE', newDevice: event.data.deviceId };
    case 'ActivationCodeIssued':
      return event.data.forMember ? { ...person, expiresAt: data.at + NOTICE_ATTEMPTS, reason: 'NEW_CODE' } : undefined;
    default:
      return undefined;
  }
};
