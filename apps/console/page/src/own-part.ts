import { el } from '#web-page/browser';

import { bodyOf, button, part, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

const PATH = '/admin/v1/own';

/** What belongs to the person: where else the person is logged in, and the phones that may act in the portal. */
export const ownPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api } = dependencies;
  const sessions = el('ul', { class: 'rows' });
  const phones = el('ul', { class: 'rows' });
  const load = async (): Promise<void> => {
    const [ofSessions, ofPhones] = [bodyOf(await api.get(`${PATH}/sessions`), dependencies), bodyOf(await api.get(`${PATH}/phones`), dependencies)];
    sessions.replaceChildren(...listOf(ofSessions ?? {}, 'sessions').map((session) => sessionRow(dependencies, session, load)));
    phones.replaceChildren(...listOf(ofPhones ?? {}, 'phones').map((phone) => phoneRow(dependencies, phone, load)));
  };
  void load();
  return part(texts.ownSessions, sessions, el('h3', {}, texts.ownPhones), phones);
};

const sessionRow = ({ texts, api, time, ...rest }: Dependencies, session: Json, reload: () => Promise<void>): HTMLElement => {
  const end = button(
    texts.endSession,
    'end-session',
    async () => {
      if (bodyOf(await api.delete(`${PATH}/sessions/${textOf(session, 'sessionId')}`), { texts, time, ...rest })) await reload();
    },
    'quiet',
  );
  const place = session['current'] === true ? ` · ${texts.thisSession}` : '';
  return el(
    'li',
    { class: 'row', 'data-testid': 'own-session' },
    el('span', {}, `${time(session['begunAt'])}${place}`),
    session['current'] !== true && end,
  );
};

const phoneRow = (dependencies: Dependencies, phone: Json, reload: () => Promise<void>): HTMLElement => {
  const { texts, api, time } = dependencies;
  const path = `${PATH}/phones/${textOf(phone, 'phoneId')}/approval`;
  const trusted = phone['trusted'] === true;
  const state = trusted
    ? texts.phoneActs
    : phone['trustedFrom'] === undefined
      ? texts.phoneStopped
      : `${texts.phoneWaits} ${time(phone['trustedFrom'])}`;
  const admit = button(texts.admitPhone, 'admit-phone', async () => {
    if (bodyOf(await api.post(path), dependencies)) await reload();
  });
  const stop = button(
    texts.stopPhone,
    'stop-phone',
    async () => {
      if (bodyOf(await api.delete(path), dependencies)) await reload();
    },
    'quiet',
  );
  return el(
    'li',
    { class: 'row', 'data-testid': 'own-phone' },
    el('span', {}, time(phone['enrolledAt']), el('span', { class: 'soft state' }, state)),
    el('span', { class: 'actions' }, !trusted && admit, (trusted || phone['trustedFrom'] !== undefined) && stop),
  );
};
