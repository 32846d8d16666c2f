import { el } from '#web-page/browser';

import { bodyOf, button, confirmedButton, type Dependencies, entryForm, field, part, shownOnce } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';
import { ROLES } from './team-part.js';
import { tokenEnd } from './token-end.js';

const PATH = '/admin/v1/admin-tokens';

/** The lives that the page offers for a token, in days. The service allows at most 400. */
const DAYS = [1, 30, 90, 365];
const CHOSEN = 90;

/** The admin tokens of programs: the list with revocation, and a new one, which is shown once. */
export const tokensPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api, days, tell } = dependencies;
  const list = el('ul', { class: 'rows' });
  const more = el('div', { class: 'actions' });
  const made = el('div');
  const load = async (after?: string): Promise<void> => {
    const page = bodyOf(await api.get(`${PATH}${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`), dependencies);
    if (!page) return;
    if (after === undefined) list.replaceChildren();
    list.append(...listOf(page, 'adminTokens').map((token) => row(dependencies, token, load)));
    if (list.childElementCount === 0) list.append(el('li', { class: 'soft' }, texts.none));
    const next = textOf(page, 'next');
    more.replaceChildren(...(next === '' ? [] : [button(texts.more, 'more-tokens', () => load(next), 'quiet')]));
  };
  void load();

  const name = el('input', { type: 'text', required: true, autocomplete: 'off', 'data-testid': 'token-name' });
  const role = el('select', { 'data-testid': 'token-role' }, ...ROLES.map((each) => el('option', { value: each }, each)));
  const life = el('select', { 'data-testid': 'token-days' }, ...DAYS.map((each) => el('option', { value: String(each) }, days(each))));
  life.value = String(CHOSEN);
  const add = async (): Promise<void> => {
    const reply = await api.post(PATH, { name: name.value.trim(), role: role.value, expires_at: tokenEnd(Date.now(), Number(life.value)) });
    if (reply.kind === 'REFUSED' && reply.errorCode === 'name_taken') return tell(texts.tokenNameTaken);
    const body = bodyOf(reply, dependencies);
    if (!body) return;
    name.value = '';
    made.replaceChildren(shownOnce(texts.tokenOnce, textOf(body, 'token'), 'admin-token'));
    await load();
  };
  const form = entryForm(
    add,
    field(texts.tokenName, name),
    field(texts.tokenRole, role),
    field(texts.tokenDays, life),
    el('button', { type: 'submit', class: 'do', 'data-testid': 'add-token' }, texts.addToken),
  );
  return part(texts.adminTokens, el('p', { class: 'soft' }, texts.adminTokensText), list, more, form, made);
};

const row = (dependencies: Dependencies, token: Json, reload: () => Promise<void>): HTMLElement => {
  const { texts, api, time } = dependencies;
  const { expiresAt, revokedAt } = token;
  const isRevoked = revokedAt !== undefined;
  const hasEnded = typeof expiresAt === 'number' && expiresAt * 1000 <= Date.now();
  const state = isRevoked ? `${texts.tokenRevoked} ${time(revokedAt)}` : `${hasEnded ? texts.tokenEnded : texts.tokenUntil} ${time(expiresAt)}`;
  const wording = { text: texts.revoke, id: 'revoke-token', warning: texts.revokeTokenWarning, yes: texts.revokeTokenYes };
  const revoke = confirmedButton(texts, wording, async () => {
    if (bodyOf(await api.delete(`${PATH}/${textOf(token, 'tokenId')}`), dependencies)) await reload();
  });
  return el(
    'li',
    { class: 'row', 'data-testid': 'token' },
    el('span', {}, `${textOf(token, 'name')} · ${textOf(token, 'role')}`, el('span', { class: 'soft state' }, state)),
    !isRevoked && !hasEnded && revoke,
  );
};
