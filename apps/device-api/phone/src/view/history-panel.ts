import { el, foreignName } from '#web-page/browser';
import type { PastRequest } from '../flow/phone-memory.js';
import { OUTCOMES } from './outcome-screens.js';
import { paragraph, type Screen } from './screen.js';

/** The last requests and how they ended, the newest first. */
export const historyPanel = (screen: Screen, requests: readonly PastRequest[]): HTMLElement => {
  const { texts } = screen;
  return el(
    'section',
    { class: 'history', 'aria-labelledby': 'history', 'data-testid': 'history' },
    el('h2', { id: 'history' }, texts.historyTitle),
    requests.length === 0 ? paragraph(texts.historyNone) : el('ol', {}, ...requests.map((request) => entry(screen, request))),
  );
};

const entry = ({ texts, date }: Screen, { relyingPartyName, signatureType, outcome, at }: PastRequest): HTMLElement => {
  const { title, tone } = OUTCOMES[outcome];
  const what = signatureType === 'SIGNING' ? texts.historySigning : texts.historyLogin;
  return el(
    'li',
    {},
    el('span', { class: 'history-party' }, foreignName(relyingPartyName)),
    el('span', { class: `history-end ${tone}` }, texts[title]),
    el('span', { class: 'history-when' }, `${what}, `, el('time', { datetime: new Date(at).toISOString() }, date(at))),
  );
};
