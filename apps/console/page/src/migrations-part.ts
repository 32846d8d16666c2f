import { el } from '#web-page/browser';

import { bodyOf, button, part, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** Lists the accounts of a relying party whose subjectIds change. Empty while no subjectId changes. `path`: of the relying party. */
export const migrationsPart = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api, time } = dependencies;
  const place = el('div');
  const pairs = el('pre', { tabindex: 0, 'data-testid': 'migrations' });
  const more = el('div', { class: 'actions' });
  const add = (page: Json): void => {
    pairs.append(...listOf(page, 'subjects').map((pair) => `${textOf(pair, 'formerSubjectId')},${textOf(pair, 'subjectId')}\n`));
    const next = textOf(page, 'next');
    more.replaceChildren(...(next === '' ? [] : [button(texts.more, 'more-migrations', () => load(next), 'quiet')]));
  };
  const load = async (after: string): Promise<void> => {
    const page = bodyOf(await api.get(`${path}/subject-migrations?after=${encodeURIComponent(after)}`), dependencies);
    if (page) add(page);
  };
  const begin = async (): Promise<void> => {
    const reply = await api.get(`${path}/subject-migrations`);
    // The part stays empty for staff who may not read the list, and while the service builds the list.
    if (reply.kind !== 'OK' || reply.body['changesAt'] === undefined) return;
    const { changesAt, endsAt } = reply.body;
    const dates = el('p', {}, `${texts.migrationChanges} ${time(changesAt)}. ${texts.migrationEnds} ${time(endsAt)}.`);
    pairs.append('formerSubjectId,subjectId\n');
    add(reply.body);
    place.replaceChildren(part(texts.migration, el('p', { class: 'soft' }, texts.migrationText), dates, pairs, more));
  };
  void begin();
  return place;
};
