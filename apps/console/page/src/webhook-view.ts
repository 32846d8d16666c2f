import { el } from '#web-page/browser';

import { deliveriesPart } from './deliveries-part.js';
import { endpointText, EVENT_TYPES, isUnproved } from './delivery-words.js';
import { bodyOf, button, field, confirmedButton, part, shownOnce, type Dependencies } from './parts.js';
import { type Json, listOf, textOf, textsOf } from './portal-api.js';

/** One webhook endpoint: its terms, its secret, and its deliveries. `path`: of all endpoints; `left`: it exists no more. */
export const webhookView = async (
  dependencies: Dependencies,
  { path, endpointId, left }: { path: string; endpointId: string; left: () => void },
): Promise<readonly HTMLElement[]> => {
  const page = bodyOf(await dependencies.api.get(path), dependencies);
  const endpoint = page && listOf(page, 'webhookEndpoints').find((each) => each['endpointId'] === endpointId);
  if (!endpoint) return [];
  const own = `${path}/${endpointId}`;
  const deliveries = deliveriesPart(dependencies, own);
  return [termsPart(dependencies, endpoint, own), deliveries, secretPart(dependencies, own), removalPart(dependencies, own, left)];
};

const termsPart = (dependencies: Dependencies, endpoint: Json, own: string): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const state = el('p', { class: 'soft', 'data-testid': 'endpoint-state' });
  const url = el('input', { type: 'text', inputmode: 'url', autocomplete: 'off', 'data-testid': 'endpoint-url' });
  url.value = textOf(endpoint, 'url');
  const enabled = el('input', { type: 'checkbox', checked: endpoint['enabled'] === true, 'data-testid': 'endpoint-enabled' });
  const chosen = textsOf(endpoint, 'eventTypes');
  const boxes = EVENT_TYPES.map((type) => el('input', { type: 'checkbox', value: type, checked: chosen.includes(type), 'data-testid': type }));
  const prove = button(
    texts.prove,
    'prove',
    async () => {
      if (bodyOf(await api.post(`${own}/ping`), dependencies)) tell(texts.onItsWay, true);
    },
    'quiet',
  );
  const show = (now: Json): void => {
    state.textContent = endpointText(texts, now);
    prove.hidden = !isUnproved(now);
  };
  show(endpoint);
  const save = button(texts.save, 'save-endpoint', async () => {
    const event_types = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    const body = bodyOf(await api.patch(own, { url: url.value.trim(), event_types, enabled: enabled.checked }), dependencies);
    if (!body) return;
    show(body);
    tell(texts.saved, true);
  });
  return part(
    texts.settings,
    state,
    field(texts.endpointUrl, url),
    el('fieldset', {}, el('legend', {}, texts.messages), ...boxes.map((box) => el('label', { class: 'choice' }, box, box.value))),
    el('label', { class: 'choice' }, enabled, texts.endpointSends),
    el('div', { class: 'actions' }, save, prove),
  );
};

const secretPart = (dependencies: Dependencies, own: string): HTMLElement => {
  const { texts, api } = dependencies;
  const shown = el('div');
  const rotate = button(
    texts.newSecret,
    'rotate-secret',
    async () => {
      const body = bodyOf(await api.post(`${own}/rotate-secret`), dependencies);
      if (body) shown.replaceChildren(shownOnce(texts.signingSecretOnce, textOf(body, 'secret'), 'signing-secret'));
    },
    'quiet',
  );
  return part(texts.signingSecret, el('p', { class: 'soft' }, texts.signingSecretText), rotate, shown);
};

const removalPart = (dependencies: Dependencies, own: string, left: () => void): HTMLElement => {
  const { texts, api } = dependencies;
  const wording = { text: texts.remove, id: 'remove-endpoint', warning: texts.removeEndpointWarning, yes: texts.removeEndpointYes };
  const remove = confirmedButton(texts, wording, async () => {
    if (bodyOf(await api.delete(own), dependencies)) left();
  });
  return part(texts.removeEndpoint, remove);
};
