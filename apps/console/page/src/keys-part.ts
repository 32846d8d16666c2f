import { el } from '#web-page/browser';

import type { Messages } from './messages/messages.js';
import { bodyOf, part, type Dependencies } from './parts.js';
import { type Json, listOf, objectOf, textOf } from './portal-api.js';

const PURPOSES: Readonly<Record<string, keyof Messages>> = { token: 'keyToken', pin: 'keyPin', data: 'keyData', event: 'keyEvent' };

/** Since when the keys of the service are in use. */
export const keysPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api } = dependencies;
  const list = el('ul', { class: 'rows', 'data-testid': 'keys' });
  const load = async (): Promise<void> => {
    const body = bodyOf(await api.get('/admin/v1/keys'), dependencies);
    if (!body) return;
    const migration = objectOf(body, 'subjectMigration');
    list.replaceChildren(...listOf(body, 'keys').map((key) => row(dependencies, key)));
    if (migration) list.append(migrationRow(dependencies, migration));
  };
  void load();
  return part(texts.keys, el('p', { class: 'soft' }, texts.keysText), list);
};

/** The purpose itself where a newer service has one that this page does not know. */
const row = ({ texts, time }: Dependencies, key: Json): HTMLElement => {
  const purpose = textOf(key, 'purpose');
  const name = Object.hasOwn(PURPOSES, purpose) ? PURPOSES[purpose] : undefined;
  return el('li', { class: 'row' }, el('span', {}, name ? texts[name] : purpose), el('span', {}, `${texts.keySince} ${time(key['since'])}`));
};

const migrationRow = ({ texts, time }: Dependencies, { changesAt, endsAt }: Json): HTMLElement =>
  el(
    'li',
    { class: 'row' },
    el('span', {}, texts.migration),
    el('span', {}, `${texts.migrationChanges} ${time(changesAt)}. ${texts.migrationEnds} ${time(endsAt)}.`),
  );
