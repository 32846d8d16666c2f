import { el, foreignName } from '#web-page/browser';

import { bodyOf, button, part, type Dependencies } from './parts.js';
import { listOf, textOf } from './portal-api.js';

/** Lists the relying parties that have a change waiting for consent. The person decides on the change on the page of the relying party. */
export const changesPart = (dependencies: Dependencies, open: (clientId: string) => void): HTMLElement => {
  const { texts, api } = dependencies;
  const list = el('ul', { class: 'rows' });
  const more = el('div', { class: 'actions' });
  const load = async (after?: string): Promise<void> => {
    const page = bodyOf(await api.get(`/admin/v1/waiting-changes${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`), dependencies);
    if (!page) return;
    list.append(
      ...listOf(page, 'changes').map((change) =>
        el(
          'li',
          { class: 'row' },
          el('span', {}, foreignName(textOf(change, 'clientName'))),
          button(texts.open, 'waiting', async () => open(textOf(change, 'clientId')), 'quiet'),
        ),
      ),
    );
    if (list.childElementCount === 0) list.append(el('li', { class: 'soft' }, texts.none));
    const next = textOf(page, 'next');
    more.replaceChildren(...(next === '' ? [] : [button(texts.more, 'more-waiting', () => load(next), 'quiet')]));
  };
  void load();
  return part(texts.waitingChanges, list, more);
};
