import { el } from '#web-page/browser';

import { newPhonesNotice } from './new-phones-part.js';
import { bodyOf, button, confirmedButton, type Dependencies, entryForm, field, part, shownOnce } from './parts.js';
import { type Json, listOf, textOf, textsOf } from './portal-api.js';

export const ROLES = ['read', 'support', 'operator', 'security'] as const;

const TEAM_ROLES = ['viewer', 'developer', 'owner'] as const;

/** The members of one place and its open invitations. `path`: below which `members` and `invitations` lie. */
export const teamPart = (
  dependencies: Dependencies,
  { path, title, withRoles, mayInvite }: { path: string; title: string; withRoles: boolean; mayInvite: boolean },
): HTMLElement => {
  const { texts, api } = dependencies;
  const notice = el('div');
  const list = el('ul', { class: 'rows' });
  const made = el('div');

  const role = el('select', { 'data-testid': 'team-role' }, ...TEAM_ROLES.map((each) => el('option', { value: each }, each)));
  const load = async (): Promise<void> => {
    const team = bodyOf(await api.get(`${path}/members`), dependencies);
    if (!team) return;
    // A team needs an owner first.
    role.value = listOf(team, 'members').some((each) => each['role'] === 'owner') ? 'viewer' : 'owner';
    const member = (each: Json): HTMLElement =>
      row(
        [textOf(each, 'label'), ...textsOf(each, 'roles'), ...textsOf({ role: [each['role']] }, 'role')].join(' · '),
        confirmedButton(texts, { text: texts.remove, id: 'remove-member', warning: texts.removeWarning, yes: texts.removeYes }, async () => {
          if (bodyOf(await api.delete(`${path}/members/${textOf(each, 'subjectId')}`), dependencies)) await load();
        }),
      );
    const invitation = (each: Json): HTMLElement =>
      row(
        `${textOf(each, 'label')} · ${texts.openInvitation}`,
        button(
          texts.withdraw,
          'withdraw',
          async () => {
            if (bodyOf(await api.delete(`${path}/invitations/${textOf(each, 'invitationId')}`), dependencies)) await load();
          },
          'quiet',
        ),
      );
    notice.replaceChildren(...newPhonesNotice(dependencies, path, team, load));
    list.replaceChildren(...listOf(team, 'members').map(member), ...listOf(team, 'invitations').map(invitation));
    if (list.childElementCount === 0) list.append(el('li', { class: 'soft' }, texts.none));
  };
  void load();

  const label = el('input', { type: 'text', required: true, autocomplete: 'off', 'data-testid': 'invite-label' });
  const boxes = ROLES.map((role) => el('input', { type: 'checkbox', value: role, 'data-testid': `role-${role}` }));
  const invite = async (): Promise<void> => {
    const roles = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    const terms = { label: label.value.trim(), ...(withRoles ? { roles } : { role: role.value }) };
    const body = bodyOf(await api.post(`${path}/invitations`, terms), dependencies);
    if (!body) return;
    label.value = '';
    made.replaceChildren(shownOnce(texts.inviteOnce, textOf(body, 'link'), 'invitation-link'));
    await load();
  };
  const form = entryForm(
    invite,
    field(texts.post, label),
    !withRoles && field(texts.teamRole, role),
    withRoles && el('fieldset', {}, el('legend', {}, texts.roles), ...boxes.map((box) => el('label', { class: 'choice' }, box, box.value))),
    el('button', { type: 'submit', class: 'do', 'data-testid': 'invite' }, texts.invite),
  );
  return part(title, notice, list, mayInvite ? form : undefined, made);
};

const row = (text: string, action: HTMLElement): HTMLElement => el('li', { class: 'row' }, el('span', {}, text), action);
