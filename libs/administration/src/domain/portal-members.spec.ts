import { readFile } from 'node:fs/promises';

import { type ClientId, InvalidRequest, type Stored, type SubjectId } from '#kernel';

import { InvitationNotFound, MemberNotFound } from './portal-members.errors.js';
import { type InvitationId, PORTAL_MEMBERS_EVENTS, type PortalMembersEvent } from './portal-members.events.js';
import { type PortalMembers, type PortalMembersCommand, portalMembersDecider } from './portal-members.js';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const MARI = '8f3a0000-0000-8000-8000-000000000001' as SubjectId;
const JONAS = '8f3a0000-0000-8000-8000-000000000002' as SubjectId;
const SHOP = '0d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e10' as ClientId;
const OTHER = '1d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e11' as ClientId;
const FIRST = '2d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e12' as InvitationId;
const SECOND = '3d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e13' as InvitationId;

const TERMS = {
  invitationId: FIRST,
  by: 'first-start',
  hash: 'hash',
  label: 'shop-owner',
  scope: { clientId: SHOP },
  expiresAt: NOW + HOUR,
} as const;
const INVITED: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS } };
const joined = (subjectId: SubjectId, invitationId = FIRST): PortalMembersEvent => ({
  type: 'MemberJoined',
  data: { at: NOW, invitationId, subjectId },
});

const after = (...events: readonly PortalMembersEvent[]): PortalMembers =>
  events.reduce<PortalMembers>((state, event) => portalMembersDecider.evolve(state, { ...event, id: '' }), portalMembersDecider.initial);
const decide = (command: PortalMembersCommand, ...given: readonly PortalMembersEvent[]) => portalMembersDecider.decide(command, after(...given));

const invite = (changes: object = {}): PortalMembersCommand => ({ type: 'Invite', now: NOW, ...TERMS, ...changes });
const join = (changes: object = {}): PortalMembersCommand => ({ type: 'Join', now: NOW, hash: 'hash', subjectId: MARI, ...changes });
const remove = (changes: object = {}): PortalMembersCommand => ({
  type: 'Remove',
  now: NOW,
  by: JONAS,
  names: [MARI],
  clientId: SHOP,
  ...changes,
});

describe('an invitation to the portal', () => {
  it('is stored with its maker, its end and the hash of its code', () => {
    expect(decide(invite())).toEqual([INVITED]);
  });

  it('names a post, not a person', () => {
    expect(() => decide(invite({ label: 'Mari Maasikas' }))).toThrow(InvalidRequest);
  });

  it('makes the person a member of its client, and of no other', () => {
    expect(decide(join(), INVITED)).toEqual([joined(MARI)]);
    expect(after(INVITED, joined(MARI)).memberships).toEqual([{ subjectId: MARI, label: 'shop-owner', scope: { clientId: SHOP }, since: NOW }]);
  });

  it('works once', () => {
    expect(() => decide(join({ subjectId: JONAS }), INVITED, joined(MARI))).toThrow(InvitationNotFound);
  });

  it('works until its end', () => {
    expect(() => decide(join({ now: NOW + HOUR }), INVITED)).toThrow(InvitationNotFound);
  });

  it('does not work with another code', () => {
    expect(() => decide(join({ hash: 'other' }), INVITED)).toThrow(InvitationNotFound);
  });

  it('does not work after it was withdrawn', () => {
    const withdraw = { type: 'WithdrawInvitation', now: NOW, by: JONAS, invitationId: FIRST, clientId: SHOP } as const;
    const withdrawn = decide(withdraw, INVITED);
    expect(withdrawn).toEqual([{ type: 'InvitationWithdrawn', data: { at: NOW, by: JONAS, invitationId: FIRST } }]);
    expect(() => decide(join(), INVITED, ...withdrawn)).toThrow(InvitationNotFound);
  });

  it.each([
    ['of another client', OTHER],
    ['of the staff', undefined],
  ])('is not withdrawn by members %s', (_, clientId) => {
    expect(() => decide({ type: 'WithdrawInvitation', now: NOW, by: JONAS, invitationId: FIRST, clientId }, INVITED)).toThrow(InvitationNotFound);
  });

  it('is one of at most a hundred of a client', () => {
    const full = Array.from({ length: 100 }, (_, number): PortalMembersEvent => ({
      type: 'MemberInvited',
      data: { at: NOW, ...TERMS, invitationId: `${number}` as InvitationId },
    }));
    expect(() => decide(invite(), ...full)).toThrow(InvalidRequest);
    expect(decide(invite({ scope: { clientId: OTHER } }), ...full)).toHaveLength(1);
  });
});

describe('a member of the portal', () => {
  const BY_MARI: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS, invitationId: SECOND, hash: 'second', by: MARI } };

  it('has no rights after the removal, and the open invitations that the member made are void', () => {
    const removed = decide(remove(), INVITED, joined(MARI), BY_MARI);
    const state = after(INVITED, joined(MARI), BY_MARI, ...removed);
    expect(state).toMatchObject({ memberships: [], invitations: [] });
    expect(() => portalMembersDecider.decide(join({ hash: 'second' }), state)).toThrow(InvitationNotFound);
  });

  it.each([
    ['another client', OTHER],
    ['the staff', undefined],
  ])('is not removed by way of %s', (_, clientId) => {
    expect(() => decide(remove({ clientId }), INVITED, joined(MARI))).toThrow(MemberNotFound);
  });

  it('has the roles of both invitations to the staff', () => {
    const staff = (invitationId: InvitationId, hash: string, role: 'read' | 'operator'): PortalMembersEvent => ({
      type: 'MemberInvited',
      data: { at: NOW, ...TERMS, invitationId, hash, scope: { roles: [role] } },
    });
    const state = after(staff(FIRST, 'a', 'read'), joined(MARI), staff(SECOND, 'b', 'operator'), joined(MARI, SECOND));
    expect(state.memberships).toEqual([expect.objectContaining({ scope: { roles: ['read', 'operator'] } })]);
    expect(state.hadStaff).toBe(true);
  });
});

describe('the stored events of the members', () => {
  it('keep their shape', async () => {
    const golden = JSON.parse(await readFile(`${import.meta.dirname}/portal-members.events.v1.json`, 'utf8')) as Stored<PortalMembersEvent>[];
    expect(new Set(golden.map(({ type }) => type))).toEqual(PORTAL_MEMBERS_EVENTS.types);
    expect(after(...golden)).toEqual({ memberships: [], invitations: [], hadStaff: true });
  });
});
