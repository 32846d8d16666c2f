import { el, foreignText } from '#web-page/browser';

import { endpointText } from './delivery-words.js';
import { bodyOf, button, type Dependencies, entryForm, field, part, shownOnce } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** The webhook endpoints of a relying party. `path`: of the relying party. */
export const webhooksPart = (dependencies: Dependencies, path: string, open: (endpointId: string) => void): HTMLElement => {
  const { texts, api } = dependencies;
  const list = el('ul', { class: 'rows' });
  const made = el('div');

  const row = (endpoint: Json): HTMLElement =>
    el(
      'li',
      { class: 'row' },
      el('span', {}, foreignText(textOf(endpoint, 'url')), el('span', { class: 'soft state' }, endpointText(texts, endpoint))),
      button(texts.open, 'endpoint', async () => open(textOf(endpoint, 'endpointId')), 'quiet'),
    );
  const load = async (): Promise<void> => {
    // A relying party has at most twenty.
    const page = bodyOf(await api.get(`${path}/webhook-endpoints`), dependencies);
    if (!page) return;
    list.replaceChildren(...listOf(page, 'webhookEndpoints').map(row));
    if (list.childElementCount === 0) list.append(el('li', { class: 'soft' }, texts.none));
  };
  void load();

  const url = el('input', { type: 'text', required: true, inputmode: 'url', autocomplete: 'off', 'data-testid': 'endpoint-url' });
  const add = async (): Promise<void> => {
    const body = bodyOf(await api.post(`${path}/webhook-endpoints`, { url: url.value.trim() }), dependencies);
    if (!body) return;
    url.value = '';
    made.replaceChildren(shownOnce(texts.signingSecretOnce, textOf(body, 'secret'), 'signing-secret'));
    await load();
  };
  const form = entryForm(
    add,
    field(texts.endpointUrl, url),
    el('button', { type: 'submit', class: 'do', 'data-testid': 'add-endpoint' }, texts.addEndpoint),
  );
  return part(texts.webhooks, el('p', { class: 'soft' }, texts.webhooksText), list, form, made);
};
