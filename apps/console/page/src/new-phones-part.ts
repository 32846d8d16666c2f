import { el } from '#web-page/browser';

import { bodyOf, button, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** The notice about each new phone of a member, for the person who can stop it. Nothing where there is none, and for all others. */
export const newPhonesNotice = (dependencies: Dependencies, path: string, team: Json, reload: () => Promise<void>): readonly HTMLElement[] => {
  const { texts, api, time } = dependencies;
  const phones = listOf(team, 'newPhones');
  if (phones.length === 0) return [];
  const row = (phone: Json): HTMLElement => {
    const stop = button(
      texts.stopPhone,
      'stop-new-phone',
      async () => {
        const address = `${path}/members/${textOf(phone, 'subjectId')}/phones/${textOf(phone, 'phoneId')}`;
        if (bodyOf(await api.delete(address), dependencies)) await reload();
      },
      'grave',
    );
    const from = phone['trustedFrom'] === undefined ? texts.phoneStopped : `${texts.phoneWaits} ${time(phone['trustedFrom'])}`;
    const state = phone['trusted'] === true ? texts.phoneActs : from;
    const canBeStopped = phone['trusted'] === true || phone['trustedFrom'] !== undefined;
    return el(
      'li',
      { class: 'row', 'data-testid': 'new-phone' },
      el('span', {}, `${textOf(phone, 'label')} · ${time(phone['enrolledAt'])}`, el('span', { class: 'soft state' }, state)),
      canBeStopped && stop,
    );
  };
  return [
    el(
      'section',
      { role: 'alert', 'data-testid': 'new-phones' },
      el('p', { class: 'notice' }, texts.newPhones),
      el('ul', { class: 'rows' }, ...phones.map(row)),
    ),
  ];
};
