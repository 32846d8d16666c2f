import { el } from '#web-page/browser';

import { closeNamesNotice } from './close-names.js';
import { codeChoice } from './code-choice.js';
import { bodyOf, button, type Dependencies, entryForm, field, part } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** The relying parties that the person may see: staff see all of them, in pages; members see their own. */
export const clientsPart = (dependencies: Dependencies, own: readonly Json[], all: boolean, open: (clientId: string) => void): HTMLElement => {
  const { texts, api } = dependencies;
  const list = el('ul', { class: 'rows' });
  const more = el('div', { class: 'actions' });
  const add = (clients: readonly Json[]): void =>
    list.append(
      ...clients.map((client) =>
        el(
          'li',
          { class: 'row' },
          button(textOf(client, 'name'), 'client', async () => open(textOf(client, 'clientId')), 'quiet'),
        ),
      ),
    );
  const load = async (after?: string): Promise<void> => {
    const page = bodyOf(await api.get(`/admin/v1/clients${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`), dependencies);
    if (!page) return;
    add(listOf(page, 'clients'));
    const next = textOf(page, 'next');
    more.replaceChildren(...(next === '' ? [] : [button(texts.more, 'more', () => load(next), 'quiet')]));
  };
  if (all) void load();
  else add(own);
  return part(texts.clients, list, more);
};

/** Registers a relying party. First shows the names that the new one may pass for: the person decides with a second press. Says what a page of its own has to do to show the QR codes. The page of the new one shows its secret, this once. */
export const registerPart = (dependencies: Dependencies, registered: (clientId: string, clientSecret: string) => void): HTMLElement => {
  const { texts, api } = dependencies;
  const name = el('input', { type: 'text', required: true, autocomplete: 'off', 'data-testid': 'new-name' });
  const uri = el('input', { type: 'text', required: true, inputmode: 'url', autocomplete: 'off', 'data-testid': 'new-redirect-uri' });
  const code = codeChoice(texts);
  const close = el('div', {});
  const press = el('button', { type: 'submit', class: 'do', 'data-testid': 'register' }, texts.register);
  /** The name that the person has seen with those that are close to it. */
  let seen: string | undefined;
  name.addEventListener('input', () => {
    seen = undefined;
    close.replaceChildren();
    press.textContent = texts.register;
  });
  const mayRegister = async (wanted: string): Promise<boolean> => {
    if (seen === wanted) return true;
    const body = bodyOf(await api.get(`/admin/v1/client-names?near=${encodeURIComponent(wanted)}`), dependencies);
    if (!body) return false;
    const names = listOf(body, 'names');
    close.replaceChildren(...closeNamesNotice(dependencies, names));
    press.textContent = names.length > 0 ? texts.registerAnyway : texts.register;
    seen = wanted;
    return names.length === 0;
  };
  const register = async (): Promise<void> => {
    const terms = { name: name.value.trim(), redirect_uris: [uri.value.trim()], allowed_attributes: [], allowed_predicates: [] };
    if (!(await mayRegister(terms.name))) return;
    const body = bodyOf(await api.post('/admin/v1/clients', { ...terms, dynamic_qr: code.isDynamic() }), dependencies);
    if (body) registered(textOf(body, 'clientId'), textOf(body, 'clientSecret'));
  };
  const form = entryForm(register, field(texts.name, name), field(texts.redirectUri, uri), ...code.nodes, close, press);
  return part(texts.registerTitle, form);
};
