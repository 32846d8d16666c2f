import { assertNever, type Decider, type DeviceId, type DomainEvent, knownEvents } from '#kernel';

import { type Membership, placeOf, type PortalPlace } from './portal-membership.js';

/** The events of a stream `portalphones-<identityId>`. Times are epoch milliseconds. */
export type PortalPhonesEvent =
  /** `by`: the person's own phone that has approved it. */
  | DomainEvent<'PhoneAdmitted', { readonly at: number; readonly deviceId: DeviceId; readonly by: DeviceId }>
  /**
   * `by`: the subjectId at the portal of the person, or of the one who leads a place in which the person is. `place`: where the phone was stopped. Absent: everywhere, by the
   * person.
   */
  | DomainEvent<'PhoneStopped', { readonly at: number; readonly deviceId: DeviceId; readonly by: string; readonly place?: PortalPlace }>;

export const PORTAL_PHONES_EVENTS = knownEvents<PortalPhonesEvent>(1, { PhoneAdmitted: true, PhoneStopped: true });

type PhoneDecision = { readonly admittedBy: DeviceId } | { readonly stoppedIn: PortalPlace | 'everywhere' };

/** What was decided about each phone, the newest last. Of decisions that say the same, the newest alone. */
export type PortalPhonesState = ReadonlyMap<DeviceId, readonly PhoneDecision[]>;

export type PortalPhonesCommand =
  | { readonly type: 'AdmitPhone'; readonly now: number; readonly deviceId: DeviceId; readonly by: DeviceId }
  | { readonly type: 'StopPhone'; readonly now: number; readonly deviceId: DeviceId; readonly by: string; readonly place?: PortalPlace | undefined };

export const portalPhonesDecider: Decider<PortalPhonesState, PortalPhonesCommand, PortalPhonesEvent> = {
  initial: new Map(),
  knows: PORTAL_PHONES_EVENTS,
  decide: (command, state) => {
    const { now: at, deviceId } = command;
    switch (command.type) {
      case 'AdmitPhone':
        return [{ type: 'PhoneAdmitted', data: { at, deviceId, by: command.by } }];
      case 'StopPhone': {
        const { by, place } = command;
        if (isStoppedSince(state.get(deviceId) ?? [], place)) return [];
        return [{ type: 'PhoneStopped', data: { at, deviceId, by, ...(place !== undefined && { place }) } }];
      }
      default:
        return assertNever(command);
    }
  },
  evolve: (state, event) => {
    const { deviceId } = event.data;
    const before = state.get(deviceId) ?? [];
    switch (event.type) {
      case 'PhoneAdmitted': {
        const { by } = event.data;
        return new Map(state).set(deviceId, [...before.filter((each) => !('admittedBy' in each && each.admittedBy === by)), { admittedBy: by }]);
      }
      case 'PhoneStopped': {
        const { place: stoppedIn = 'everywhere' } = event.data;
        return new Map(state).set(deviceId, [...before.filter((each) => !('stoppedIn' in each && each.stoppedIn === stoppedIn)), { stoppedIn }]);
      }
      default:
        return assertNever(event);
    }
  },
};

const stops = (decision: PhoneDecision, place: PortalPlace | undefined): boolean =>
  'stoppedIn' in decision && (decision.stoppedIn === 'everywhere' || decision.stoppedIn === place);

/** Whether the phone was stopped there, and no phone has approved it since. */
const isStoppedSince = (decisions: readonly PhoneDecision[], place: PortalPlace | undefined): boolean =>
  decisions.slice(decisions.findLastIndex((each) => 'admittedBy' in each) + 1).some((each) => stops(each, place));

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

/** A membership, as far as it matters which phone may use it. */
type MembershipOfPhones = Pick<Membership, 'deviceId' | 'since' | 'scope'>;

/**
 * Whether the phone may use the membership (specification/admin.md#phones-of-members): the one of the joining; one that such a phone has approved, as long as that one counts
 * itself; and one that was enrolled later, once it has waited. One that was enrolled before the joining never comes in by waiting. A stop counts in its place, until a phone that
 * may use the membership approves the phone again: an approval from a phone of another place does not undo it.
 */
export const isTrusted = (membership: MembershipOfPhones, deviceId: DeviceId, facts: PhoneFacts, asked = new Set<DeviceId>()): boolean => {
  if (facts.isGone(deviceId) || asked.has(deviceId)) return false;
  if (deviceId === membership.deviceId) return true;
  asked.add(deviceId);
  const place = placeOf(membership.scope);
  for (const decision of (facts.decided.get(deviceId) ?? []).toReversed()) {
    if (stops(decision, place)) return false;
    if ('admittedBy' in decision && isTrusted(membership, decision.admittedBy, facts, asked)) return true;
  }
  return waitsFrom(membership, deviceId, facts) <= facts.now;
};

/** When a phone that may not use the membership may do so without an approval, epoch milliseconds. Undefined: never. */
export const trustedFrom = (membership: MembershipOfPhones, deviceId: DeviceId, facts: PhoneFacts): number | undefined => {
  const isStopped = (facts.decided.get(deviceId) ?? []).some((each) => stops(each, placeOf(membership.scope)));
  const from = waitsFrom(membership, deviceId, facts);
  return isStopped || from === Infinity ? undefined : from;
};

const waitsFrom = ({ since }: MembershipOfPhones, deviceId: DeviceId, { enrolledAt, wait }: PhoneFacts): number => {
  const at = enrolledAt.get(deviceId);
  return at !== undefined && at > since ? at + wait : Infinity;
};
