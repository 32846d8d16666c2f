import { el } from '#web-page/browser';

import type { PartContext } from './client-context.js';
import { addressFields } from './openid-addresses.js';
import { keyFields } from './openid-keys.js';
import { openIdSettings } from './openid-settings.js';
import { bodyOf, button, type Dependencies, field, part } from './parts.js';
import { type Json, textOf } from './portal-api.js';
import { isOn, OPENID_PROTECTIONS, type Protection } from './protections.js';

/** The first one is the default. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];

/** OpenID Connect of a relying party: the issuer, its protections, keys and addresses, and the settings of frameworks to be copied. */
export const openIdPart = (dependencies: Dependencies, client: Json, { path, issuerUrl, reload }: PartContext): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const protections = OPENID_PROTECTIONS.map((protection) => ({ ...protection, box: boxOf(client, protection) }));
  const keys = keyFields(texts, client);
  const addresses = addressFields(texts, client);
  const algorithm = el('select', { 'data-testid': 'id-token-alg' }, ...ALGORITHMS.map((name) => el('option', { value: name }, name)));
  algorithm.value = algorithmOf(client);
  const save = button(texts.save, 'save-openid', async () => {
    const changedKeys = keys.changed();
    if (!changedKeys) return tell(texts.clientKeysUnreadable);
    const switched = protections.filter((protection) => protection.box.checked !== isOn(client, protection));
    const changed = {
      ...Object.fromEntries(switched.map((protection) => [protection.name, valueOf(protection)])),
      ...(algorithm.value !== algorithmOf(client) && { id_token_signed_response_alg: algorithm.value }),
      ...changedKeys,
      ...addresses.changed(),
    };
    if (Object.keys(changed).length === 0) return tell(texts.saved, true);
    if (bodyOf(await api.patch(path, changed), dependencies)) await reload(texts.saved);
  });
  return part(
    texts.openid,
    el('p', { class: 'soft' }, texts.openidText),
    el('p', {}, `${texts.issuer} `, el('code', { 'data-testid': 'issuer' }, issuerUrl)),
    ...protections.map(({ box, text }) => el('label', { class: 'choice' }, box, texts[text])),
    field(texts.idTokenAlgorithm, algorithm),
    ...keys.elements,
    ...addresses.elements,
    el('div', { class: 'actions' }, save),
    ...openIdSettings(issuerUrl, textOf(client, 'clientId')).map(({ name, callback, settings }) =>
      el(
        'details',
        { 'data-testid': 'framework' },
        el('summary', {}, name),
        el('p', { class: 'soft' }, `${texts.callback} `, el('code', {}, callback)),
        el('pre', { tabindex: 0 }, settings),
      ),
    ),
  );
};

const valueOf = ({ box, on }: Protection & { readonly box: HTMLInputElement }): boolean | string => {
  if (on === undefined) return box.checked;
  return box.checked ? on : '';
};

const boxOf = (client: Json, protection: Protection & { readonly id: string }): HTMLInputElement =>
  el('input', { type: 'checkbox', checked: isOn(client, protection), 'data-testid': protection.id });

const algorithmOf = (client: Json): string => textOf(client, 'idTokenSignedResponseAlg') || (ALGORITHMS[0] ?? '');
