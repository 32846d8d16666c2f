import { el, foreignName } from '#web-page/browser';

import { bodyOf, button, field, graveButton, part, shownOnce, type Surroundings } from './parts.js';
import { type Json, textOf, textsOf } from './portal-api.js';
import { teamPart } from './team-part.js';

/** One relying party: its settings, its secret, its first call and its members. */
export const clientView = (around: Surroundings, client: Json, baseUrl: string): readonly HTMLElement[] => {
  const { texts } = around;
  const clientId = textOf(client, 'clientId');
  const path = `/admin/v1/clients/${clientId}`;
  const team = teamPart(around, { path, title: texts.members, withRoles: false, mayInvite: true });
  return [settingsPart(around, client, path), secretPart(around, path), quickStart(around, clientId, baseUrl), team];
};

const settingsPart = (around: Surroundings, client: Json, path: string): HTMLElement => {
  const { texts, api, tell } = around;
  const uris = el('textarea', { rows: 3, spellcheck: 'false', 'data-testid': 'redirect-uris' });
  uris.value = textsOf(client, 'redirectUris').join('\n');
  const dynamic = el('input', { type: 'checkbox', checked: client['dynamicQr'] === true, 'data-testid': 'dynamic-qr' });
  const save = button(texts.save, 'save', async () => {
    const redirect_uris = uris.value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    if (bodyOf(await api.patch(path, { redirect_uris, dynamic_qr: dynamic.checked }), around)) tell(texts.saved, true);
  });
  return part(
    texts.settings,
    el('p', {}, foreignName(textOf(client, 'name'))),
    el('p', {}, `${texts.clientId} `, el('code', { 'data-testid': 'client-id' }, textOf(client, 'clientId'))),
    field(texts.redirectUris, uris),
    el('label', { class: 'choice' }, dynamic, texts.dynamicQr),
    el('div', { class: 'actions' }, save),
  );
};

const secretPart = (around: Surroundings, path: string): HTMLElement => {
  const { texts, api } = around;
  const shown = el('div');
  const renew = graveButton(texts, { text: texts.newSecret, id: 'new-secret', warning: texts.secretWarning, yes: texts.secretYes }, async () => {
    const body = bodyOf(await api.post(`${path}/secret`), around);
    if (body) shown.replaceChildren(shownOnce(texts.secretOnce, textOf(body, 'clientSecret'), 'client-secret'));
  });
  return part(texts.secret, el('p', { class: 'soft' }, texts.secretText), renew, shown);
};

const quickStart = ({ texts }: Surroundings, clientId: string, baseUrl: string): HTMLElement => {
  const code = `import { loginPageUrl, RelyingPartyClient } from '@countersign/relying-party-client';

const countersign = new RelyingPartyClient({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  clientSecret: process.env.COUNTERSIGN_SECRET,
});
const login = await countersign.beginLogin({ redirectUri, hostedPage: true });`;
  return part(texts.quickStart, el('p', { class: 'soft' }, texts.quickStartText), el('pre', { tabindex: 0, 'data-testid': 'quick-start' }, code));
};
