import { el, foreignName } from '#web-page/browser';

import { bodyOf, button, field, graveButton, part, shownOnce, type Dependencies } from './parts.js';
import { type Json, textOf, textsOf } from './portal-api.js';
import { teamPart } from './team-part.js';

/** One relying party: its settings, its secret, its first call and its members. */
export const clientView = (dependencies: Dependencies, client: Json, baseUrl: string): readonly HTMLElement[] => {
  const { texts } = dependencies;
  const clientId = textOf(client, 'clientId');
  const path = `/admin/v1/clients/${clientId}`;
  const team = teamPart(dependencies, { path, title: texts.members, withRoles: false, mayInvite: true });
  return [settingsPart(dependencies, client, path), secretPart(dependencies, path), quickStart(dependencies, clientId, baseUrl), team];
};

const settingsPart = (dependencies: Dependencies, client: Json, path: string): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const uris = el('textarea', { rows: 3, spellcheck: 'false', 'data-testid': 'redirect-uris' });
  uris.value = textsOf(client, 'redirectUris').join('\n');
  const dynamic = el('input', { type: 'checkbox', checked: client['dynamicQr'] === true, 'data-testid': 'dynamic-qr' });
  const save = button(texts.save, 'save', async () => {
    const redirect_uris = uris.value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    if (bodyOf(await api.patch(path, { redirect_uris, dynamic_qr: dynamic.checked }), dependencies)) tell(texts.saved, true);
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

const secretPart = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api } = dependencies;
  const shown = el('div');
  const renew = graveButton(texts, { text: texts.newSecret, id: 'new-secret', warning: texts.secretWarning, yes: texts.secretYes }, async () => {
    const body = bodyOf(await api.post(`${path}/secret`), dependencies);
    if (body) shown.replaceChildren(shownOnce(texts.secretOnce, textOf(body, 'clientSecret'), 'client-secret'));
  });
  return part(texts.secret, el('p', { class: 'soft' }, texts.secretText), renew, shown);
};

const quickStart = ({ texts }: Dependencies, clientId: string, baseUrl: string): HTMLElement => {
  const code = `import { loginPageUrl, RelyingPartyClient } from '@countersign/relying-party-client';

const countersign = new RelyingPartyClient({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  clientSecret: process.env.COUNTERSIGN_SECRET,
});
const login = await countersign.beginLogin({ redirectUri, hostedPage: true });`;
  return part(texts.quickStart, el('p', { class: 'soft' }, texts.quickStartText), el('pre', { tabindex: 0, 'data-testid': 'quick-start' }, code));
};
