import { assertNever, type Decider, type DeviceId, type DomainEvent, knownEvents } from '#kernel';

import type { Membership } from './portal-membership.js';

/** The events of a stream `portalphones-<identityId>`. Times are epoch milliseconds. */
export type PortalPhonesEvent =
  /** `by`: the person's own phone that has approved it. */
  | DomainEvent<'PhoneAdmitted', { readonly at: number; readonly deviceId: DeviceId; readonly by: DeviceId }>
  /** `by`: the subjectId at the portal of the person, or of the one who leads a place in which the person is. */
  | DomainEvent<'PhoneStopped', { readonly at: number; readonly deviceId: DeviceId; readonly by: string }>;

export const PORTAL_PHONES_EVENTS = knownEvents<PortalPhonesEvent>(1, { PhoneAdmitted: true, PhoneStopped: true });

/** What was decided last about each phone that is not the one of the joining. */
export type PortalPhonesState = ReadonlyMap<DeviceId, { readonly admittedBy: DeviceId } | 'STOPPED'>;

export type PortalPhonesCommand =
  | { readonly type: 'AdmitPhone'; readonly now: number; readonly deviceId: DeviceId; readonly by: DeviceId }
  | { readonly type: 'StopPhone'; readonly now: number; readonly deviceId: DeviceId; readonly by: string };

export const portalPhonesDecider: Decider<PortalPhonesState, PortalPhonesCommand, PortalPhonesEvent> = {
  initial: new Map(),
  knows: PORTAL_PHONES_EVENTS,
  decide: (command, state) => {
    const { now: at, deviceId } = command;
    switch (command.type) {
      case 'AdmitPhone':
        return [{ type: 'PhoneAdmitted', data: { at, deviceId, by: command.by } }];
      case 'StopPhone':
        return state.get(deviceId) === 'STOPPED' ? [] : [{ type: 'PhoneStopped', data: { at, deviceId, by: command.by } }];
      default:
        return assertNever(command);
    }
  },
  evolve: (state, event) => {
    const { deviceId } = event.data;
    switch (event.type) {
      case 'PhoneAdmitted':
        return new Map(state).set(deviceId, { admittedBy: event.data.by });
      case 'PhoneStopped':
        return new Map(state).set(deviceId, 'STOPPED');
      default:
        return assertNever(event);
    }
  },
};

/** What is known of a person's phones. Times and durations in milliseconds. */
export interface PhoneFacts {
  readonly decided: PortalPhonesState;
  readonly enrolledAt: ReadonlyMap<DeviceId, number>;
  /** Whether the phone is revoked, or locked for good. */
  readonly isGone: (deviceId: DeviceId) => boolean;
  readonly now: number;
  /** How long a phone that was enrolled after the joining waits, unless another phone has approved it. */
  readonly wait: number;
}

/**
 * Whether the phone may use the membership (specification/admin.md#phones-of-members): the one of the joining; one that such a phone has approved, as long as that one counts
 * itself; and one that was enrolled later, once it has waited. One that was enrolled before the joining never comes in by waiting.
 */
export const isTrusted = (
  membership: Pick<Membership, 'deviceId' | 'since'>,
  deviceId: DeviceId,
  facts: PhoneFacts,
  asked: ReadonlySet<DeviceId> = new Set(),
): boolean => {
  if (facts.isGone(deviceId) || asked.has(deviceId)) return false;
  if (deviceId === membership.deviceId) return true;
  const decided = facts.decided.get(deviceId);
  if (decided === 'STOPPED') return false;
  if (decided && isTrusted(membership, decided.admittedBy, facts, new Set([...asked, deviceId]))) return true;
  const enrolledAt = facts.enrolledAt.get(deviceId);
  return enrolledAt !== undefined && enrolledAt > membership.since && facts.now >= enrolledAt + facts.wait;
};
