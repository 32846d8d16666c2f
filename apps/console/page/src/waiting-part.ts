import { el, foreignText } from '#web-page/browser';

import { closeNamesNotice } from './close-names.js';
import type { PartContext } from './client-context.js';
import { bodyOf, button, confirmedButton, part, type Dependencies } from './parts.js';
import { type Json, listOf, objectOf, textOf, textsOf } from './portal-api.js';
import { isOn, OTHER_TERMS, PROTECTIONS } from './protections.js';

/**
 * The change that waits for consent, beside the present terms, with the buttons that the person may use. If no change waits: how the last one
 * ended. Empty when there was none.
 */
export const waitingPart = (dependencies: Dependencies, client: Json, context: PartContext): readonly HTMLElement[] => {
  const { texts, time } = dependencies;
  const waiting = objectOf(context.consent, 'waiting');
  const decided = objectOf(context.consent, 'decided');
  if (waiting) {
    const asked = el('p', { class: 'soft' }, time(waiting['askedAt']));
    const actions = el('div', { class: 'actions' }, ...actionsOn(dependencies, textOf(waiting, 'changeId'), context));
    return [
      part(
        texts.waitingTitle,
        el('p', {}, texts.waitingText),
        asked,
        comparison(dependencies, client, waiting),
        ...closeNamesNotice(dependencies, listOf(waiting, 'closeNames')),
        actions,
      ),
    ];
  }
  if (!decided) return [];
  const outcome = decided['accepted'] === true ? texts.changeAccepted : texts.changeRefused;
  return [el('p', { class: 'soft part', 'data-testid': 'decided' }, `${outcome} ${time(decided['at'])}`)];
};

/** Each term as it is and as it will be. */
const comparison = ({ texts }: Dependencies, client: Json, waiting: Json): HTMLElement => {
  const changes = objectOf(waiting, 'changes') ?? {};
  const row = (label: string, term: string, valueIn: (json: Json) => readonly (HTMLElement | string)[]): readonly HTMLElement[] =>
    changes[term] === undefined
      ? []
      : [
          el('dt', { class: 'soft' }, label),
          el('dd', {}, `${texts.presentTerm} `, ...valueIn(client)),
          el('dd', { class: 'wanted' }, `${texts.wantedTerm} `, ...valueIn(changes)),
        ];
  const rows = [
    ...OTHER_TERMS.flatMap((term) => row(texts[term], term, (json) => valuesOf(json, term))),
    ...PROTECTIONS.flatMap((one) => row(texts[one.text], one.member, (json) => [isOn(json, one) ? '✓' : '–'])),
  ];
  return el('dl', { class: 'comparison', 'data-testid': 'waiting-change' }, ...rows);
};

/** A text, a tick, or the technical texts of a list; a dash for none. */
const valuesOf = (json: Json, term: string): readonly (HTMLElement | string)[] => {
  if (typeof json[term] === 'string') return [foreignText(textOf(json, term))];
  if (json[term] === true) return ['✓'];
  const texts = textsOf(json, term).map((text) => el('code', {}, foreignText(text)));
  return texts.length === 0 ? ['–'] : texts.flatMap((text, at) => (at === 0 ? [text] : [', ', text]));
};

const actionsOn = (dependencies: Dependencies, change_id: string, { path, roles, reload }: PartContext): readonly HTMLElement[] => {
  const { texts, api } = dependencies;
  const own = `${path}/waiting-change`;
  const accept = button(texts.accept, 'accept-change', async () => {
    if (bodyOf(await api.post(`${own}/acceptance`, { change_id }), dependencies)) await reload(texts.changeAccepted);
  });
  const wording = { text: texts.refuse, id: 'refuse-change', warning: texts.refuseWarning, yes: texts.refuse };
  const refuse = confirmedButton(texts, wording, async () => {
    if (bodyOf(await api.post(`${own}/refusal`, { change_id }), dependencies)) await reload(texts.changeRefused);
  });
  const withdraw = button(
    texts.withdraw,
    'withdraw-change',
    async () => {
      if (bodyOf(await api.delete(own), dependencies)) await reload(texts.changeWithdrawn);
    },
    'quiet',
  );
  if (roles.includes('operator')) return [accept, refuse];
  if (roles.includes('security')) return [refuse];
  return roles.length === 0 ? [withdraw] : [];
};
