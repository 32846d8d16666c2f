import { el } from '#web-page/browser';

import { changesOf, outcomeOf, targetOf } from './audit-words.js';
import { bodyOf, button, part, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** The changes on the audit trail, newest first. The page reads them when the person asks for them. */
export const auditPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api } = dependencies;
  const list = el('ul', { class: 'rows' });
  const more = el('div', { class: 'actions' });
  let ended = new Set<string>();
  const load = async (after?: number): Promise<void> => {
    const page = bodyOf(await api.get(`/admin/v1/audit${after === undefined ? '' : `?after=${after}`}`), dependencies);
    if (!page) return;
    if (after === undefined) {
      ended = new Set();
      list.replaceChildren();
    }
    list.append(...changesOf(listOf(page, 'entries'), ended).map((entry) => row(dependencies, entry)));
    const { next } = page;
    more.replaceChildren(...(typeof next === 'number' ? [button(texts.more, 'more-audit', () => load(next), 'quiet')] : []));
  };
  const show = el(
    'div',
    { class: 'actions' },
    button(texts.auditShow, 'audit', () => load(), 'quiet'),
  );
  return part(texts.audit, el('p', { class: 'soft' }, texts.auditText), show, list, more);
};

const row = ({ texts, time }: Dependencies, entry: Json): HTMLElement =>
  el(
    'li',
    { class: 'entry', 'data-testid': 'audit-entry' },
    el('p', {}, el('span', { class: 'soft' }, time(entry['at'])), ' ', outcomeOf(texts, entry)),
    el('p', {}, el('code', {}, textOf(entry, 'action'))),
    el('p', {}, `${texts.auditBy} `, el('code', {}, textOf(entry, 'actor')), ` ${textOf(entry, 'role')}`),
    ...targetOf(entry).map(([name, id]) => el('p', {}, `${name} `, el('code', {}, id))),
  );
