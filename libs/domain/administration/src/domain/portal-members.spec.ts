import { readFile } from 'node:fs/promises';

import { type ClientId, type DeviceId, InvalidRequest, type Stored, type SubjectId } from '#kernel';

import { InvitationNotFound, MemberNotFound } from './portal-members.errors.js';
import { type InvitationId, PORTAL_MEMBERS_EVENTS, type PortalMembersEvent } from './portal-members.events.js';
import { type PortalMembersCommand, portalMembersDecider } from './portal-members.js';
import type { MembersState } from './portal-membership.js';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const MARI = '8f3a0000-0000-8000-8000-000000000001' as SubjectId;
const JONAS = '8f3a0000-0000-8000-8000-000000000002' as SubjectId;
const SHOP = '0d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e10' as ClientId;
const OTHER = '1d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e11' as ClientId;
const FIRST = '2d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e12' as InvitationId;
const SECOND = '3d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e13' as InvitationId;

const PHONE = '4d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e14' as DeviceId;
const OTHER_PHONE = '5d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e15' as DeviceId;

const TERMS = {
  invitationId: FIRST,
  by: 'first-start',
  hash: 'hash',
  label: 'shop-owner',
  scope: { clientId: SHOP, role: 'developer' },
  expiresAt: NOW + HOUR,
} as const;
const INVITED: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS } };
const joined = (subjectId: SubjectId, invitationId = FIRST): PortalMembersEvent => ({
  type: 'MemberJoined',
  data: { at: NOW, invitationId, subjectId, deviceId: PHONE },
});

const after = (...events: readonly PortalMembersEvent[]): MembersState =>
  events.reduce<MembersState>((state, event) => portalMembersDecider.evolve(state, { ...event, id: '' }), portalMembersDecider.initial);
const decide = (command: PortalMembersCommand, ...given: readonly PortalMembersEvent[]) => portalMembersDecider.decide(command, after(...given));

const invite = (changes: object = {}): PortalMembersCommand => ({ type: 'Invite', now: NOW, ...TERMS, ...changes });
const join = (changes: object = {}): PortalMembersCommand => ({
  type: 'Join',
  now: NOW,
  hash: 'hash',
  subjectId: MARI,
  deviceId: PHONE,
  isVoid: false,
  endsFirstStart: false,
  ...changes,
});
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
    expect(after(INVITED, joined(MARI)).memberships).toEqual([
      { subjectId: MARI, label: 'shop-owner', scope: { clientId: SHOP, role: 'developer' }, since: NOW, deviceId: PHONE },
    ]);
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

  it('does not work once its maker is erased, or the phone is revoked with which it was made', () => {
    expect(() => decide(join({ isVoid: true }), INVITED)).toThrow(
      expect.objectContaining({
        code: 'invitation_not_found',
        reason: 'the maker of the invitation was erased, or the phone revoked with which it was made',
      }),
    );
  });

  it('is stored with the phone of the session in which it was made', () => {
    expect(decide(invite({ by: MARI, deviceId: PHONE }))).toEqual([{ type: 'MemberInvited', data: { ...INVITED.data, by: MARI, deviceId: PHONE } }]);
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
    expect(decide(invite({ scope: { clientId: OTHER, role: 'developer' } }), ...full)).toHaveLength(1);
  });
});

describe('a member of the portal', () => {
  const BY_MARI: PortalMembersEvent = {
    type: 'MemberInvited',
    data: { at: NOW, ...TERMS, invitationId: SECOND, hash: 'second', by: MARI, through: SHOP },
  };

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

describe('with several members and invitations', () => {
  const STAFF = { roles: ['read'] } as const;
  const MARI_BEFORE = '8f3a0000-0000-8000-8000-000000000003' as SubjectId;
  const GUEST = '8f3a0000-0000-8000-8000-000000000004' as SubjectId;
  const invited = (invitationId: string, changes: object = {}): PortalMembersEvent => ({
    type: 'MemberInvited',
    data: { at: NOW, ...TERMS, invitationId: invitationId as InvitationId, hash: `hash of ${invitationId}`, ...changes },
  });
  const members = (...events: readonly PortalMembersEvent[]) => after(...events).memberships.map(({ subjectId, scope }) => [subjectId, scope]);
  const invitations = (...events: readonly PortalMembersEvent[]) => after(...events).invitations.map(({ invitationId }) => invitationId);
  const removed = (subjectId: SubjectId, clientId?: ClientId): PortalMembersEvent => ({
    type: 'MemberRemoved',
    data: { at: NOW, by: JONAS, subjectId, ...(clientId && { clientId }) },
  });

  it('a person belongs to two clients and to the staff at once', () => {
    const joins = [joined(MARI, 'a' as InvitationId), joined(MARI, 'b' as InvitationId), joined(MARI, 'c' as InvitationId)];
    const all = [invited('a'), invited('b', { scope: { clientId: OTHER, role: 'developer' } }), invited('c', { scope: STAFF }), ...joins];
    expect(members(...all)).toEqual([
      [MARI, { clientId: SHOP, role: 'developer' }],
      [MARI, { clientId: OTHER, role: 'developer' }],
      [MARI, STAFF],
    ]);
  });

  it('two persons belong to one client', () => {
    const all = [invited('a'), invited('b'), joined(MARI, 'a' as InvitationId), joined(JONAS, 'b' as InvitationId)];
    expect(members(...all)).toEqual([
      [MARI, { clientId: SHOP, role: 'developer' }],
      [JONAS, { clientId: SHOP, role: 'developer' }],
    ]);
  });

  it('a second invitation to the same client replaces the membership', () => {
    const all = [invited('a'), invited('b', { label: 'another' }), joined(MARI, 'a' as InvitationId), joined(MARI, 'b' as InvitationId)];
    expect(after(...all).memberships).toMatchObject([{ subjectId: MARI, label: 'another' }]);
  });

  it('one invitation is used, and the other stays open', () => {
    expect(invitations(invited('a'), invited('b'), joined(MARI, 'b' as InvitationId))).toEqual(['a']);
  });

  it('one invitation is withdrawn, and the other stays open', () => {
    const withdrawn: PortalMembersEvent = { type: 'InvitationWithdrawn', data: { at: NOW, by: JONAS, invitationId: 'a' as InvitationId } };
    expect(invitations(invited('a'), invited('b'), withdrawn)).toEqual(['b']);
  });

  it('an unknown invitation is not withdrawn in the place of another one', () => {
    const withdraw = { type: 'WithdrawInvitation', now: NOW, by: JONAS, invitationId: SECOND, clientId: SHOP } as const;
    expect(() => decide(withdraw, INVITED)).toThrow('no open invitation of this id there');
  });

  it('a join by an unknown invitation changes nothing', () => {
    expect(after(INVITED, joined(MARI, SECOND))).toEqual(after(INVITED));
  });

  it.each([
    ['at its end', NOW + HOUR, ['b']],
    ['before its end', NOW + HOUR - 1, ['a', 'b']],
  ])('an invitation is forgotten with the next one %s', (_, at, left) => {
    expect(invitations(invited('a'), invited('b', { at }))).toEqual(left);
  });

  it('expired invitations do not count among the hundred', () => {
    const full = Array.from({ length: 100 }, (_, number) => invited(`${number}`));
    expect(() => decide(invite({ now: NOW + HOUR - 1 }), ...full)).toThrow('There are 100 members and invitations already; remove one first.');
    expect(decide(invite({ now: NOW + HOUR }), ...full)).toHaveLength(1);
  });

  it('a removal takes one person out of one place, and leaves all others', () => {
    const joins = [joined(MARI, 'a' as InvitationId), joined(MARI, 'b' as InvitationId), joined(JONAS, 'c' as InvitationId)];
    const all = [invited('a'), invited('b', { scope: STAFF }), invited('c'), ...joins];
    expect(members(...all, removed(MARI, SHOP))).toEqual([
      [MARI, STAFF],
      [JONAS, { clientId: SHOP, role: 'developer' }],
    ]);
    expect(members(...all, removed(MARI))).toEqual([
      [MARI, { clientId: SHOP, role: 'developer' }],
      [JONAS, { clientId: SHOP, role: 'developer' }],
    ]);
  });

  it('a removal leaves the invitations of others', () => {
    expect(invitations(invited('a', { by: MARI, through: SHOP }), invited('b', { by: JONAS, through: SHOP }), removed(MARI, SHOP))).toEqual(['b']);
  });

  it('a removal names each subjectId that is a member or has invited, and no other', () => {
    const all = [invited('a'), invited('b', { scope: STAFF }), joined(MARI, 'a' as InvitationId), joined(GUEST, 'b' as InvitationId)];
    const names = [GUEST, MARI_BEFORE, MARI];
    const decided = decide(remove({ names }), ...all, invited('c', { by: MARI_BEFORE, through: SHOP }), invited('d', { by: JONAS, through: SHOP }));
    expect(decided).toStrictEqual([removed(MARI_BEFORE, SHOP), removed(MARI, SHOP)]);
    expect(decide(remove({ names: [GUEST], clientId: undefined }), ...all)).toStrictEqual([removed(GUEST)]);
    expect(() => decide(remove({ names: [JONAS] }), ...all)).toThrow('no such member');
  });

  it('the erasure of a person ends every membership of each subjectId, with the invitations, and no other', () => {
    const joins = [joined(MARI, 'a' as InvitationId), joined(MARI_BEFORE, 'b' as InvitationId), joined(JONAS, 'c' as InvitationId)];
    const all = [invited('a'), invited('b', { scope: STAFF }), invited('c'), ...joins, invited('d', { by: GUEST }), invited('e', { by: JONAS })];
    const erase = { type: 'RemovePerson', now: NOW, by: 'erasure', names: [MARI_BEFORE, MARI, GUEST] } as const;
    const ended = decide(erase, ...all);
    const by = 'erasure';
    expect(ended).toStrictEqual([
      { type: 'MemberRemoved', data: { at: NOW, by, subjectId: MARI_BEFORE } },
      { type: 'MemberRemoved', data: { at: NOW, by, subjectId: MARI, clientId: SHOP } },
      { type: 'MemberRemoved', data: { at: NOW, by, subjectId: GUEST } },
    ]);
    expect(members(...all, ...ended)).toEqual([[JONAS, { clientId: SHOP, role: 'developer' }]]);
    expect(invitations(...all, ...ended)).toEqual(['e']);
    expect(decide(erase, ...all, ...ended)).toEqual([]);
  });

  it('the revocation of a phone withdraws the invitations made with it, and no other', () => {
    const made = [
      invited('a', { by: MARI, deviceId: PHONE }),
      invited('b', { by: MARI, deviceId: OTHER_PHONE }),
      invited('c', { by: MARI }),
      invited('d', { by: JONAS }),
    ];
    const revoke = {
      type: 'WithdrawInvitationsOfPhone',
      now: NOW,
      by: 'revocation',
      deviceId: PHONE,
    } as const;
    const withdrawn = decide(revoke, ...made);
    expect(withdrawn).toStrictEqual(
      ['a'].map((invitationId) => ({ type: 'InvitationWithdrawn', data: { at: NOW, by: 'revocation', invitationId } })),
    );
    expect(invitations(...made, ...withdrawn)).toEqual(['b', 'c', 'd']);
    expect(decide(revoke, ...made, ...withdrawn)).toEqual([]);
  });

  it('a removal leaves the invitations that the member made by another place', () => {
    const made = [invited('a', { by: MARI, through: SHOP }), invited('b', { by: MARI, through: OTHER }), invited('c', { by: MARI })];
    expect(invitations(...made, removed(MARI, SHOP))).toEqual(['b', 'c']);
    expect(invitations(...made, removed(MARI))).toEqual(['a', 'b']);
  });

  it('a member of a client does not count as a former member of the staff', () => {
    expect(after(INVITED, joined(MARI)).hadStaff).toBe(false);
  });

  it('says why it refuses', () => {
    expect(() => decide(join({ hash: 'other' }))).toThrow('the invitation is unknown, used, withdrawn or expired');
    expect(() => decide(invite({ label: 'X' }))).toThrow('`label` must have 3 to 64 of a-z 0-9 . _ - and begin with a letter or a digit.');
  });

  it('takes no command and no event that it does not know', () => {
    expect(() => decide({ type: 'Promote' } as never)).toThrow('Promote');
    expect(() => after({ type: 'MemberPromoted' } as never)).toThrow('MemberPromoted');
  });
});

describe('the roles of a team', () => {
  const team = (subjectId: SubjectId, id: string, scope: object): PortalMembersEvent[] => [
    { type: 'MemberInvited', data: { at: NOW, ...TERMS, invitationId: id as InvitationId, hash: id, scope: scope as typeof TERMS.scope } },
    joined(subjectId, id as InvitationId),
  ];
  const owner = { clientId: SHOP, role: 'owner' } as const;
  const viewer = { clientId: SHOP, role: 'viewer' } as const;
  const security = { roles: ['security'] } as const;
  const change = (subjectId: SubjectId, scope: object, changes: object = {}): PortalMembersCommand => ({
    type: 'ChangeRole',
    now: NOW,
    by: JONAS,
    names: [subjectId],
    scope: scope as typeof owner,
    endsFirstStart: false,
    ...changes,
  });

  it('keep the last owner: neither removed nor made something else', () => {
    const alone = [...team(MARI, 'a', owner), ...team(JONAS, 'b', viewer)];
    for (const command of [remove(), change(MARI, viewer)])
      expect(() => decide(command, ...alone)).toThrow(expect.objectContaining({ code: 'last_owner', reason: 'the last owner of the team' }));
    const two = [...alone, ...team(JONAS, 'c', owner)];
    expect(decide(remove(), ...two)).toHaveLength(1);
    expect(decide(change(MARI, viewer), ...two)).toEqual([
      { type: 'MemberRoleChanged', data: { at: NOW, by: JONAS, subjectId: MARI, scope: viewer } },
    ]);
  });

  it('keep the last member with security, also beside owners of teams', () => {
    const alone = [...team(MARI, 'a', security), ...team(JONAS, 'b', { roles: ['read'] }), ...team(JONAS, 'c', owner)];
    for (const command of [remove({ clientId: undefined }), change(MARI, { roles: ['read'] })])
      expect(() => decide(command, ...alone)).toThrow(expect.objectContaining({ code: 'last_owner', reason: 'the last member with security' }));
  });

  it('do not keep an erased person', () => {
    expect(decide({ type: 'RemovePerson', now: NOW, by: 'erasure', names: [MARI] }, ...team(MARI, 'a', owner))).toHaveLength(1);
  });

  it('of a person change in one place, and are changed once', () => {
    const all = [...team(MARI, 'a', owner), ...team(MARI, 'b', { clientId: OTHER, role: 'owner' }), ...team(JONAS, 'c', owner)];
    const changed = decide(change(MARI, viewer), ...all);
    expect(after(...all, ...changed).memberships.map(({ scope }) => scope)).toEqual([viewer, { clientId: OTHER, role: 'owner' }, owner]);
    expect(decide(change(MARI, viewer), ...all, ...changed)).toEqual([]);
    expect(() => decide(change(JONAS, { clientId: OTHER, role: 'owner' }), ...all)).toThrow(MemberNotFound);
  });

  it('that end void the invitations made by them, and those that grow void none', () => {
    const invitation: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS, invitationId: SECOND, by: MARI, through: SHOP } };
    const all = [...team(MARI, 'a', owner), ...team(JONAS, 'b', owner), invitation];
    expect(after(...all, ...decide(change(MARI, viewer), ...all)).invitations).toEqual([]);
    const grown = [...team(MARI, 'a', viewer), ...team(JONAS, 'b', owner), invitation];
    expect(after(...grown, ...decide(change(MARI, owner), ...grown)).invitations).toHaveLength(1);
  });

  it('of an invitation that another phone of the person uses are no rights of that phone in the membership of the first one', () => {
    const another: PortalMembersEvent = {
      type: 'MemberJoined',
      data: { at: NOW, invitationId: 'b' as InvitationId, subjectId: MARI, deviceId: OTHER_PHONE },
    };
    const [invitation] = team(MARI, 'b', viewer);
    expect(after(...team(MARI, 'a', owner), invitation!, another).memberships).toMatchObject([
      { deviceId: PHONE, scope: owner },
      { deviceId: OTHER_PHONE, scope: viewer },
    ]);
  });

  it('of a second invitation never take the lead away', () => {
    expect(after(...team(MARI, 'a', owner), ...team(MARI, 'b', viewer)).memberships).toMatchObject([{ scope: owner }]);
  });

  it('end the first start once, and only a break-glass begins it again', () => {
    const staff: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS, scope: security } };
    const ended = decide(join({ endsFirstStart: true }), staff);
    expect(ended.map(({ type }) => type)).toEqual(['MemberJoined', 'FirstStartEnded']);
    expect(after(staff, ...ended).firstStartEnded).toBe(true);
    const left = decide({ type: 'RemovePerson', now: NOW, by: 'erasure', names: [MARI] }, staff, ...ended);
    expect(after(staff, ...ended, ...left).firstStartEnded).toBe(true);
    const reopened = decide({ type: 'ReopenFirstStart', now: NOW }, staff, ...ended);
    expect(after(staff, ...ended, ...reopened).firstStartEnded).toBe(false);
    expect(decide({ type: 'ReopenFirstStart', now: NOW }, staff)).toEqual([]);
  });

  it('end the first start when those who are there have become enough, unless a break-glass has begun it again', () => {
    const staff: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS, scope: security } };
    const end: PortalMembersCommand = { type: 'EndFirstStart', now: NOW, isHeld: true };
    const joined = decide(join(), staff);
    const ended = decide(end, staff, ...joined);
    expect(ended).toEqual([{ type: 'FirstStartEnded', data: { at: NOW } }]);
    expect(decide({ ...end, isHeld: false }, staff, ...joined)).toEqual([]);
    expect(decide(end, staff, ...joined, ...ended)).toEqual([]);
    const reopened = decide({ type: 'ReopenFirstStart', now: NOW }, staff, ...joined, ...ended);
    expect(decide(end, staff, ...joined, ...ended, ...reopened)).toEqual([]);
  });
});

describe('the stored events of the members', () => {
  it('keep their shape', async () => {
    const golden = JSON.parse(await readFile(`${import.meta.dirname}/portal-members.events.v1.json`, 'utf8')) as Stored<PortalMembersEvent>[];
    expect(new Set(golden.map(({ type }) => type))).toEqual(PORTAL_MEMBERS_EVENTS.types);
    expect(after(...golden)).toEqual({ memberships: [], invitations: [], hadStaff: true, firstStartEnded: false, firstStartReopened: true });
  });

  it('with the phone of an invitation keep their shape', async () => {
    const golden = JSON.parse(await readFile(`${import.meta.dirname}/portal-members.of-phone.v1.json`, 'utf8')) as Stored<PortalMembersEvent>[];
    expect(after(...golden.slice(0, 1)).invitations).toEqual([golden[0]!.data]);
    expect(after(...golden)).toEqual({ memberships: [], invitations: [], hadStaff: false, firstStartEnded: false, firstStartReopened: false });
  });
});
