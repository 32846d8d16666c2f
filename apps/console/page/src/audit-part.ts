import { el } from '#web-page/browser';

import { changesOf, outcomeOf, proofFile, proofOf, targetOf } from './audit-words.js';
import { bodyOf, button, part, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** The changes on the audit trail, newest first. The page reads them when the person asks for them. */
export const auditPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api } = dependencies;
  const list = el('ul', { class: 'rows' });
  const more = el('div', { class: 'actions' });
  let ended = new Set<string>();
  const load = async (after?: number): Promise<void> => {
    const page = bodyOf(await api.get(`/admin/v1/audit?proofs=true${after === undefined ? '' : `&after=${after}`}`), dependencies);
    if (!page) return;
    if (after === undefined) {
      ended = new Set();
      list.replaceChildren();
    }
    list.append(...changesOf(listOf(page, 'entries'), ended).map((entry) => row(dependencies, entry, textOf(page, 'checkpoint'))));
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

const row = ({ texts, time }: Dependencies, entry: Json, checkpoint: string): HTMLElement => {
  const proof = proofOf(texts, entry);
  return el(
    'li',
    { class: 'entry', 'data-testid': 'audit-entry' },
    el('p', {}, el('span', { class: 'soft' }, time(entry['at'])), ' ', outcomeOf(texts, entry)),
    el('p', {}, el('code', {}, textOf(entry, 'action'))),
    el('p', {}, `${texts.auditBy} `, el('code', {}, textOf(entry, 'actor')), ` ${textOf(entry, 'role')}`),
    ...targetOf(entry).map(([name, id]) => el('p', {}, `${name} `, el('code', {}, id))),
    proof && el('p', { class: 'soft', 'data-testid': 'audit-proof' }, proof.text),
    proof?.isProven && button(texts.auditSave, 'save-proof', async () => save(proofFile(entry, checkpoint)), 'quiet'),
  );
};

/** Has the browser save a file. */
const save = ({ name, text }: { readonly name: string; readonly text: string }): void => {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  el('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
};
