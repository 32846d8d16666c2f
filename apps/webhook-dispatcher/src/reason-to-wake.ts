import { idOf, type RecordedEvent } from '#engines/event-store';
import type { ReasonToWake } from '#domain/push';
import type { DeviceId, DomainEvent, IdentityId } from '#kernel';

/** Milliseconds in which the push of a new device is attempted. The home screen of the phones also shows the device until the person confirms it. */
const NOTICE_ATTEMPTS = 3_600_000;

export type Waking =
  | DomainEvent<'SessionPushed', { readonly at: number; readonly expiresAt: number; readonly quiet?: true }>
  | DomainEvent<'DeviceAdded', { readonly at: number; readonly deviceId: DeviceId }>;

/** Undefined for a session beyond the limit of the person, and for the other events of a person. */
export const reasonOf = (event: RecordedEvent<Waking>): ReasonToWake | undefined => {
  const { id: eventId, stream, data } = event;
  const person = { eventId, identityId: idOf<IdentityId>(stream), at: data.at };
  switch (event.type) {
    case 'SessionPushed':
      return event.data.quiet ? undefined : { ...person, expiresAt: event.data.expiresAt };
    case 'DeviceAdded':
      return { ...person, expiresAt: data.at + NOTICE_ATTEMPTS, newDevice: event.data.deviceId };
    default:
      return undefined;
  }
};
