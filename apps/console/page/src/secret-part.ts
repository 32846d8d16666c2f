import { el } from '#web-page/browser';

import { bodyOf, confirmedButton, part, shownOnce, type Dependencies } from './parts.js';
import { textOf } from './portal-api.js';

/** The client's secret: how old it is, when it was last used, and a new one after a warning. `newSecret` is that of a client that was registered just now. */
export const secretPart = (dependencies: Dependencies, path: string, newSecret?: string): HTMLElement => {
  const { texts, api, time } = dependencies;
  const use = el('div', { 'data-testid': 'secret-use' });
  const shown = el('div');
  const show = (secret: string): void => shown.replaceChildren(shownOnce(texts.secretOnce, secret, 'client-secret'));
  if (newSecret !== undefined) show(newSecret);
  const load = async (): Promise<void> => {
    const body = bodyOf(await api.get(`${path}/secret`), dependencies);
    if (!body) return;
    const { issuedAt, lastUsedAt } = body;
    const last = lastUsedAt === undefined ? texts.secretUnused : `${texts.secretUsed} ${time(lastUsedAt)}`;
    use.replaceChildren(el('p', {}, `${texts.secretSince} ${time(issuedAt)}`), el('p', { 'data-testid': 'secret-last-use' }, last));
  };
  const renew = confirmedButton(texts, { text: texts.newSecret, id: 'new-secret', warning: texts.secretWarning, yes: texts.secretYes }, async () => {
    const body = bodyOf(await api.post(`${path}/secret`), dependencies);
    if (!body) return;
    show(textOf(body, 'clientSecret'));
    await load();
  });
  void load();
  return part(texts.secret, el('p', { class: 'soft' }, texts.secretText), use, renew, shown);
};
