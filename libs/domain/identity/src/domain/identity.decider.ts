import { assertNever, type Decider } from '#kernel';

import { openGrant } from './activation-grants.js';
import type { IdentityCommand } from './identity.commands.js';
import { IdentityExists, IdentityNotFound, SecurityRequired } from './identity.errors.js';
import { type IdentityEvent, IDENTITY_EVENTS } from './identity.events.js';
import type { Identity } from './identity.js';

type Command<Type extends IdentityCommand['type']> = Extract<IdentityCommand, { type: Type }>;

/** Repeatable: the first record of the personal data decides which of several registrations of one person succeeds. */
const register = ({ now }: Command<'RegisterIdentity'>, identity: Identity): IdentityEvent[] => {
  if (identity.status === 'ERASED') throw new IdentityExists('identity is ERASED');
  return identity.status === 'NONE' ? [{ type: 'IdentityRegistered', data: { at: now } }] : [];
};

/** With a phone of a member the sender would log in to the portal with the member's rights. */
const issueActivationCode = ({ now, ttl, isMember, bySecurity, by }: Command<'IssueActivationCode'>, identity: Identity): IdentityEvent[] => {
  if (identity.status !== 'REGISTERED') throw new IdentityNotFound(`identity is ${identity.status}`);
  if (isMember && !bySecurity) throw new SecurityRequired();
  return [{ type: 'ActivationCodeIssued', data: { at: now, expiresAt: now + ttl, ...(isMember && { forMember: true }), ...(by && { by }) } }];
};

const addDevice = ({ now, deviceId, ...use }: Command<'AddDevice'>, identity: Identity): IdentityEvent[] => {
  return [{ type: 'DeviceAdded', data: { at: now, deviceId, grantId: openGrant(identity, { now, ...use }) } }];
};

/** Repeating the command resumes an interrupted erasure. A completed erasure is refused. */
const erase = ({ now, by }: Command<'EraseIdentity'>, identity: Identity): IdentityEvent[] => {
  if (identity.status === 'NONE') throw new IdentityNotFound('no such identity');
  if (identity.status === 'REGISTERED') return [{ type: 'IdentityErased', data: { at: now, ...(by !== undefined && { by }) } }];
  if (identity.complete) throw new IdentityNotFound('already erased');
  return [];
};

const completeErasure = ({ now }: Command<'CompleteErasure'>, identity: Identity): IdentityEvent[] =>
  identity.status === 'ERASED' && !identity.complete ? [{ type: 'ErasureCompleted', data: { at: now } }] : [];

const completeSessionErasure = ({ now }: Command<'CompleteSessionErasure'>, identity: Identity): IdentityEvent[] =>
  identity.status === 'ERASED' && identity.complete && !identity.sessionsErased ? [{ type: 'SessionsErased', data: { at: now } }] : [];

export const identityDecider: Decider<Identity, IdentityCommand, IdentityEvent> = {
  initial: { status: 'NONE' },
  knows: IDENTITY_EVENTS,

  decide(command, identity) {
    switch (command.type) {
      case 'RegisterIdentity':
        return register(command, identity);
      case 'IssueActivationCode':
        return issueActivationCode(command, identity);
      case 'AddDevice':
        return addDevice(command, identity);
      case 'EraseIdentity':
        return erase(command, identity);
      case 'CompleteErasure':
        return completeErasure(command, identity);
      case 'CompleteSessionErasure':
        return completeSessionErasure(command, identity);
      default:
        return assertNever(command);
    }
  },

  evolve(identity, event) {
    switch (event.type) {
      case 'IdentityRegistered':
        return { status: 'REGISTERED', grants: [], devices: [], origins: [] };
      case 'ActivationCodeIssued': {
        if (identity.status !== 'REGISTERED') return identity;
        const { expiresAt, forMember = false, by = [] } = event.data;
        return { ...identity, grants: [...identity.grants, { id: event.id, expiresAt, used: false, forMember, by }] };
      }
      case 'DeviceAdded': {
        if (identity.status !== 'REGISTERED') return identity;
        const { at: enrolledAt, deviceId, grantId } = event.data;
        const enrolledBy = identity.grants.find(({ id }) => id === grantId)?.by ?? [];
        return {
          ...identity,
          grants: identity.grants.map((grant) => (grant.id === grantId ? { ...grant, used: true } : grant)),
          devices: [...identity.devices, deviceId],
          origins: [...identity.origins, { deviceId, enrolledAt, enrolledBy }],
        };
      }
      case 'IdentityErased':
        return {
          status: 'ERASED',
          erasedAt: event.data.at,
          devices: identity.status === 'REGISTERED' ? identity.devices : [],
          complete: false,
          sessionsErased: false,
        };
      case 'ErasureCompleted':
        return identity.status === 'ERASED' ? { ...identity, complete: true } : identity;
      case 'SessionsErased':
        return identity.status === 'ERASED' ? { ...identity, sessionsErased: true } : identity;
      default:
        return assertNever(event);
    }
  },
};
