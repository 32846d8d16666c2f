import { readFile } from 'node:fs/promises';

import { type ClientId, type DeviceId, InvalidRequest, type Stored, type SubjectId } from '#kernel';

import { InvitationNotFound, MemberNotFound } from './portal-members.errors.js';
import { type InvitationId, PORTAL_MEMBERS_EVENTS, type PortalMembersEvent } from './portal-members.events.js';
import { type MembersState, type PortalMembersCommand, portalMembersDecider } from './portal-members.js';

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
  scope: { clientId: SHOP },
  expiresAt: NOW + HOUR,
} as const;
const INVITED: PortalMembersEvent = { type: 'MemberInvited', data: { at: NOW, ...TERMS } };
const joined = (subjectId: SubjectId, invitationId = FIRST): PortalMembersEvent => ({
  type: 'MemberJoined',
  data: { at: NOW, invitationId, subjectId },
});

const after = (...events: readonly PortalMembersEvent[]): MembersState =>
  events.reduce<MembersState>((state, event) => portalMembersDecider.evolve(state, { ...event, id: '' }), portalMembersDecider.initial);
const decide = (command: PortalMembersCommand, ...given: readonly PortalMembersEvent[]) => portalMembersDecider.decide(command, after(...given));

const invite = (changes: object = {}): PortalMembersCommand => ({ type: 'Invite', now: NOW, ...TERMS, ...changes });
const join = (changes: object = {}): PortalMembersCommand => ({ type: 'Join', now: NOW, hash: 'hash', subjectId: MARI, isVoid: false, ...changes });
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
    const all = [invited('a'), invited('b', { scope: { clientId: OTHER } }), invited('c', { scope: STAFF }), ...joins];
    expect(members(...all)).toEqual([
      [MARI, { clientId: SHOP }],
      [MARI, { clientId: OTHER }],
      [MARI, STAFF],
    ]);
  });

  it('two persons belong to one client', () => {
    const all = [invited('a'), invited('b'), joined(MARI, 'a' as InvitationId), joined(JONAS, 'b' as InvitationId)];
    expect(members(...all)).toEqual([
      [MARI, { clientId: SHOP }],
      [JONAS, { clientId: SHOP }],
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
      [JONAS, { clientId: SHOP }],
    ]);
    expect(members(...all, removed(MARI))).toEqual([
      [MARI, { clientId: SHOP }],
      [JONAS, { clientId: SHOP }],
    ]);
  });

  it('a removal leaves the invitations of others', () => {
    expect(invitations(invited('a', { by: MARI }), invited('b', { by: JONAS }), removed(MARI, SHOP))).toEqual(['b']);
  });

  it('a removal names each subjectId that is a member or has invited, and no other', () => {
    const all = [invited('a'), invited('b', { scope: STAFF }), joined(MARI, 'a' as InvitationId), joined(GUEST, 'b' as InvitationId)];
    const names = [GUEST, MARI_BEFORE, MARI];
    const decided = decide(remove({ names }), ...all, invited('c', { by: MARI_BEFORE }), invited('d', { by: JONAS }));
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
    expect(members(...all, ...ended)).toEqual([[JONAS, { clientId: SHOP }]]);
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

describe('the stored events of the members', () => {
  it('keep their shape', async () => {
    const golden = JSON.parse(await readFile(`${import.meta.dirname}/portal-members.events.v1.json`, 'utf8')) as Stored<PortalMembersEvent>[];
    expect(new Set(golden.map(({ type }) => type))).toEqual(PORTAL_MEMBERS_EVENTS.types);
    expect(after(...golden)).toEqual({ memberships: [], invitations: [], hadStaff: true });
  });

  it('with the phone of an invitation keep their shape', async () => {
    const golden = JSON.parse(await readFile(`${import.meta.dirname}/portal-members.of-phone.v1.json`, 'utf8')) as Stored<PortalMembersEvent>[];
    expect(after(...golden.slice(0, 1)).invitations).toEqual([golden[0]!.data]);
    expect(after(...golden)).toEqual({ memberships: [], invitations: [], hadStaff: false });
  });
});
