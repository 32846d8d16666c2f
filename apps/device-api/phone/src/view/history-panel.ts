import { el, foreignName } from '#web-page/browser';
import { type LogOutEnd, type OpenLogin, openLogins } from '../flow/log-outs.js';
import type { PastRequest } from '../flow/phone-memory.js';
import type { HomeState } from '../flow/phone-state.js';
import type { Messages } from '../messages/messages.js';
import { OUTCOMES } from './outcome-screens.js';
import { about, button, paragraph, type Screen } from './screen.js';

const ENDS: Readonly<Record<LogOutEnd, keyof Messages>> = { TOLD: 'loggedOut', NOT_TAKEN: 'logOutNotTaken', FAILED: 'logOutFailed' };

/** The last requests and how they ended, the newest first. At its newest login the person can be logged out at a relying party, unless this phone is locked. */
export const historyPanel = (screen: Screen, { memory: { requests }, check }: Pick<HomeState, 'memory' | 'check'>): HTMLElement => {
  const { texts } = screen;
  const open: readonly PastRequest[] = check.kind === 'LOCKED' ? [] : openLogins(requests);
  const entries = requests.map((request) => entry(screen, request, open.includes(request) ? logOut(screen, request as OpenLogin) : []));
  return el(
    'section',
    { class: 'history', 'aria-labelledby': 'history', 'data-testid': 'history' },
    el('h2', { id: 'history' }, texts.historyTitle),
    requests.length === 0 ? paragraph(texts.historyNone) : el('ol', {}, ...entries),
  );
};

const entry = (
  { texts, date }: Screen,
  { relyingPartyName, signatureType, outcome, at }: PastRequest,
  further: readonly HTMLElement[],
): HTMLElement => {
  const { title, tone } = OUTCOMES[outcome];
  const what = signatureType === 'SIGNING' ? texts.historySigning : texts.historyLogin;
  return el(
    'li',
    {},
    el('span', { class: 'history-party' }, foreignName(relyingPartyName)),
    el('span', { class: `history-end ${tone}` }, texts[title]),
    el('span', { class: 'history-when' }, `${what}, `, el('time', { datetime: new Date(at).toISOString() }, date(at))),
    ...further,
  );
};

/** The button, or what became of it; both where the person can try again. */
const logOut = ({ texts, logOuts, announce }: Screen, login: OpenLogin): readonly HTMLElement[] => {
  const words = (end: LogOutEnd): DocumentFragment => about(texts[ENDS[end]], login.relyingPartyName);
  const ask = (): void => void logOuts.ask(login).then((end) => announce(words(end).textContent));
  const end = logOuts.endOf(login);
  return [
    ...(end === undefined ? [] : [el('p', { class: 'history-when', 'data-testid': 'log-out-end' }, words(end))]),
    ...(end === undefined || end === 'FAILED' ? [button(texts.logOutThere, 'log-out', ask, 'secondary')] : []),
  ];
};
