import { el } from '#web-page/browser';

import type { PartContext } from './client-context.js';
import { bodyOf, button, confirmedButton, part, type Dependencies } from './parts.js';
import type { Json } from './portal-api.js';

/** Whether the service accepts requests of the relying party, with the buttons of staff. Empty for a member while it does. */
export const statePart = (dependencies: Dependencies, client: Json, { path, roles, reload, gone }: PartContext): readonly HTMLElement[] => {
  const { texts, api, tell } = dependencies;
  const enabled = client['enabled'] !== false;
  const isOperator = roles.includes('operator');
  if (enabled && roles.length === 0) return [];
  const disable = confirmedButton(texts, { text: texts.disable, id: 'disable', warning: texts.disableWarning, yes: texts.disable }, async () => {
    if (bodyOf(await api.post(`${path}/disable`), dependencies)) await reload(texts.clientDisabled);
  });
  const enable = button(texts.enable, 'enable', async () => {
    if (bodyOf(await api.post(`${path}/enable`), dependencies)) await reload(texts.clientEnabled);
  });
  const remove = confirmedButton(texts, { text: texts.deleteClient, id: 'delete', warning: texts.deleteWarning, yes: texts.deleteYes }, async () => {
    if (!bodyOf(await api.delete(path), dependencies)) return;
    await gone();
    tell(texts.clientDeleted, true);
  });
  return [
    part(
      texts.state,
      el('p', { 'data-testid': 'client-state' }, enabled ? texts.clientEnabled : texts.clientDisabled),
      el(
        'div',
        { class: 'actions' },
        enabled && (isOperator || roles.includes('security')) && disable,
        !enabled && isOperator && enable,
        isOperator && remove,
      ),
    ),
  ];
};
