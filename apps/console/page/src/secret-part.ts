import { el } from '#web-page/browser';

import { bodyOf, confirmedButton, part, shownOnce, type Dependencies } from './parts.js';
import { textOf } from './portal-api.js';

/** The client's secret: how old it is, when it was last used, and a new one after a warning. */
export const secretPart = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api, time } = dependencies;
  const use = el('div', { 'data-testid': 'secret-use' });
  const shown = el('div');
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
    shown.replaceChildren(shownOnce(texts.secretOnce, textOf(body, 'clientSecret'), 'client-secret'));
    await load();
  });
  void load();
  return part(texts.secret, el('p', { class: 'soft' }, texts.secretText), use, renew, shown);
};
