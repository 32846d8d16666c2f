import { el, mark, sentence } from '#web-page/browser';
import type { Outcome } from '../flow/outcome.js';
import type { PhoneState } from '../flow/phone-state.js';
import type { Messages } from '../messages/messages.js';
import { about, button, paragraph, type Screen, title } from './screen.js';

type State<Kind extends PhoneState['kind']> = Extract<PhoneState, { kind: Kind }>;
type Tone = 'good' | 'calm' | 'bad';

/** The words of each outcome; the list of past requests uses the titles. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly title: keyof Messages; readonly text: keyof Messages; readonly tone: Tone }>> = {
  CONFIRMED: { title: 'confirmedTitle', text: 'continueThere', tone: 'good' },
  SIGNED: { title: 'signedTitle', text: 'continueThere', tone: 'good' },
  DECLINED: { title: 'declinedTitle', text: 'declined', tone: 'calm' },
  LEFT: { title: 'leftTitle', text: 'left', tone: 'calm' },
  EXPIRED: { title: 'expiredTitle', text: 'expired', tone: 'calm' },
  WRONG_CODE: { title: 'wrongCodeTitle', text: 'wrongCode', tone: 'bad' },
  PHONE_REMOVED: { title: 'endedWithPhoneTitle', text: 'endedWithPhone', tone: 'calm' },
  USED_ON_ANOTHER_PHONE: { title: 'usedTitle', text: 'used', tone: 'bad' },
  NOT_FOR_YOU: { title: 'notForYouTitle', text: 'notForYou', tone: 'bad' },
  NOT_KNOWN: { title: 'notKnownTitle', text: 'notKnown', tone: 'calm' },
  CODE_TOO_OLD: { title: 'tooOldTitle', text: 'tooOld', tone: 'calm' },
  LOCKED: { title: 'lockedTitle', text: 'locked', tone: 'bad' },
  NOT_WHAT_IT_SAYS: { title: 'notAsShownTitle', text: 'notAsShown', tone: 'bad' },
  SET_UP_AGAIN: { title: 'setUpAgainTitle', text: 'setUpAgain', tone: 'bad' },
  UNREACHABLE: { title: 'noAnswerTitle', text: 'noAnswer', tone: 'calm' },
  FAILED: { title: 'failedTitle', text: 'failed', tone: 'bad' },
};

/** The person's own decisions: nothing is left to read here, so this browser returns to the page that it came from. */
const DECIDED: readonly Outcome[] = ['CONFIRMED', 'SIGNED', 'DECLINED'];

/** Long enough to see the outcome, and then long enough for a browser to leave. */
const READ_MS = 700;
const REFUSED_MS = 4000;

export const outcomeScreen = (screen: Screen, state: State<'OUTCOME'>): readonly Node[] => {
  const { texts } = screen;
  const { outcome, request, returnTo, number } = state;
  const shown = OUTCOMES[outcome];
  const actions = el('div', { class: 'stack' });
  const text = paragraph(about(texts[textOf(state)], request?.relyingPartyName ?? ''), 'outcome');
  // A number is to be read, so this page stays.
  if (returnTo !== undefined && number === undefined && DECIDED.includes(outcome)) goBack(screen, state, returnTo, text, actions);
  else actions.append(...buttons(screen, state));
  return [
    el('div', { class: `seal ${shown.tone}`, 'aria-hidden': 'true' }, shown.tone === 'good' ? mark() : sign(shown.tone)),
    title(texts[shown.title]),
    text,
    ...(number === undefined ? [] : numberNodes(texts, number)),
    ...(outcome === 'LOCKED' ? [paragraph(lockedText(screen, state), 'locked-until')] : []),
    actions,
  ];
};

const numberNodes = (texts: Messages, number: string): readonly Node[] => [
  el('p', { class: 'number', 'data-testid': 'number' }, number),
  el('p', { class: 'banner', 'data-testid': 'number-warning' }, texts.numberWarning),
];

/** The text says where to continue after an approval: only an arrival by camera shows that the request is on another screen. */
const textOf = ({ outcome, arrival, number }: State<'OUTCOME'>): keyof Messages => {
  if (number !== undefined) return 'numberText';
  const approved = outcome === 'CONFIRMED' || outcome === 'SIGNED';
  return approved && arrival === 'CAMERA' ? 'continueOnComputer' : OUTCOMES[outcome].text;
};

/** Goes back by itself. The button appears only if the browser has refused that. */
const goBack = (screen: Screen, state: State<'OUTCOME'>, returnTo: string, text: HTMLElement, actions: HTMLElement): void => {
  const { texts, onLeave } = screen;
  const name = state.request?.relyingPartyName ?? '';
  const approved = state.outcome !== 'DECLINED';
  text.replaceChildren(about(texts[approved ? 'goingBack' : 'declined'], name));
  actions.append(el('div', { class: 'busy small', 'aria-hidden': 'true', 'data-testid': 'going-back' }));
  const leave = setTimeout(() => screen.goBack(returnTo), READ_MS);
  const refused = setTimeout(() => {
    if (approved) text.replaceChildren(texts.goBackYourself);
    actions.replaceChildren(...buttons(screen, state));
  }, REFUSED_MS);
  onLeave(() => {
    clearTimeout(leave);
    clearTimeout(refused);
  });
};

const buttons = ({ texts, phone }: Screen, { outcome, request, returnTo }: State<'OUTCOME'>): readonly HTMLElement[] => {
  if (outcome === 'SET_UP_AGAIN') return [button(texts.enrolTitle, 'set-up-again', () => void phone.forget())];
  const first =
    outcome === 'UNREACHABLE'
      ? [button(texts.tryAgain, 'try-again', () => void phone.tryAgain())]
      : returnTo !== undefined
        ? [
            el(
              'a',
              { class: 'button', href: returnTo, rel: 'noreferrer', 'data-testid': 'return' },
              el('span', {}, about(texts.back, request?.relyingPartyName ?? '')),
            ),
          ]
        : [];
  return [...first, button(texts.done, 'done', () => phone.home(), 'secondary')];
};

export const revokedScreen = ({ texts, phone }: Screen): readonly Node[] => [
  el('div', { class: 'seal bad', 'aria-hidden': 'true' }, sign('bad')),
  title(texts.revokedTitle),
  paragraph(texts.revoked, 'outcome'),
  button(texts.enrolTitle, 'set-up-again', () => void phone.forget()),
];

const lockedText = ({ texts, date }: Screen, { lockedUntil }: State<'OUTCOME'>): string => {
  if (lockedUntil === undefined) return texts.lockedForGood;
  return sentence(texts.lockedUntil, { time: date(lockedUntil * 1000) });
};

const sign = (tone: Tone): string => (tone === 'bad' ? '!' : '–');
