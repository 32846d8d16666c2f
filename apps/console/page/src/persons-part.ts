import { el } from '#web-page/browser';

import { erasurePart, erasureView } from './erasure-part.js';
import { bodyOf, button, type Dependencies, entryForm, field, part } from './parts.js';
import { personView } from './person-view.js';
import { textOf } from './portal-api.js';

/** Looks one person up by country and personal code. The data is shown only after it was opened, which the service records. */
export const personsPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const found = el('div', { class: 'secret', tabindex: -1 });
  const country = el('input', { type: 'text', required: true, maxlength: 2, autocomplete: 'off', 'data-testid': 'country' });
  const code = el('input', { type: 'text', required: true, spellcheck: 'false', autocomplete: 'off', 'data-testid': 'personal-code' });
  const open = async (identityId: string, reason: string): Promise<void> => {
    const body = { ...(reason !== '' && { reason: reason.toLowerCase() }) };
    const person = bodyOf(await api.post(`/admin/v1/identities/${identityId}/opening`, body), dependencies);
    if (!person) return;
    found.replaceChildren(...personView(dependencies, person, () => void prove(identityId)));
    found.focus();
  };
  const show = (...content: readonly HTMLElement[]): void => {
    found.replaceChildren(...content);
    found.focus();
  };
  const prove = async (identityId: string): Promise<void> => {
    found.replaceChildren();
    const proof = bodyOf(await api.get(`/admin/v1/identities/${identityId}/erasure`), dependencies);
    if (proof) show(erasureView(dependencies, proof, () => prove(identityId)));
  };
  const search = async (): Promise<void> => {
    found.replaceChildren();
    const key = { country: country.value.trim().toUpperCase(), personal_code: code.value.trim() };
    const reply = await api.post('/admin/v1/identities/search', key);
    if (reply.kind === 'REFUSED' && reply.status === 404) return tell(texts.noPerson);
    const body = bodyOf(reply, dependencies);
    if (!body) return;
    tell('');
    const identityId = textOf(body, 'identityId');
    const reason = el('input', { type: 'text', maxlength: 64, spellcheck: 'false', autocomplete: 'off', 'data-testid': 'opening-reason' });
    const openIt = button(texts.openPerson, 'open-person', () => open(identityId, reason.value.trim()), 'quiet');
    const id = el('p', {}, `${texts.identityId} `, el('code', { 'data-testid': 'identity-id' }, identityId));
    found.replaceChildren(id, field(texts.openingReason, reason), openIt);
    found.focus();
  };
  const form = entryForm(
    search,
    field(texts.country, country),
    field(texts.personalCode, code),
    el('button', { type: 'submit', class: 'do', 'data-testid': 'find-person' }, texts.findPerson),
  );
  return part(texts.persons, el('p', { class: 'soft' }, texts.personsText), form, erasurePart(dependencies, show), found);
};
