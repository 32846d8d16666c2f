import { el } from '#web-page/browser';

import type { PartContext } from './client-context.js';
import { openIdSettings } from './openid-settings.js';
import { bodyOf, button, type Dependencies, part } from './parts.js';
import { type Json, textOf } from './portal-api.js';

/** OpenID Connect of a relying party: the issuer, its two protections, and the settings of frameworks to be copied. */
export const openIdPart = (dependencies: Dependencies, client: Json, { path, issuerUrl, reload }: PartContext): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const pushed = protection(client, 'requirePushedAuthorizationRequests', 'require-par');
  const pkce = protection(client, 'requirePkce', 'require-pkce');
  const save = button(texts.save, 'save-openid', async () => {
    const changed = {
      ...(pushed.checked !== isOn(client, 'requirePushedAuthorizationRequests') && { require_pushed_authorization_requests: pushed.checked }),
      ...(pkce.checked !== isOn(client, 'requirePkce') && { require_pkce: pkce.checked }),
    };
    if (Object.keys(changed).length === 0) return tell(texts.saved, true);
    if (bodyOf(await api.patch(path, changed), dependencies)) await reload(texts.saved);
  });
  return part(
    texts.openid,
    el('p', { class: 'soft' }, texts.openidText),
    el('p', {}, `${texts.issuer} `, el('code', { 'data-testid': 'issuer' }, issuerUrl)),
    el('label', { class: 'choice' }, pushed, texts.requirePushed),
    el('label', { class: 'choice' }, pkce, texts.requirePkce),
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

/** On unless it was switched off. */
const isOn = (client: Json, term: string): boolean => client[term] !== false;

const protection = (client: Json, term: string, id: string): HTMLInputElement =>
  el('input', { type: 'checkbox', checked: isOn(client, term), 'data-testid': id });
