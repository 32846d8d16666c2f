import { el, mark, sentence } from '#web-page/browser';
import type { Outcome, PhoneState } from '../flow/phone-state.js';
import type { Messages } from '../messages/messages.js';
import { about, button, paragraph, type Screen, title } from './screen.js';

type State<Kind extends PhoneState['kind']> = Extract<PhoneState, { kind: Kind }>;
type Tone = 'good' | 'calm' | 'bad';

const OUTCOMES: Readonly<Record<Outcome, { readonly title: keyof Messages; readonly text: keyof Messages; readonly tone: Tone }>> = {
  CONFIRMED: { title: 'confirmedTitle', text: 'confirmed', tone: 'good' },
  SIGNED: { title: 'signedTitle', text: 'signed', tone: 'good' },
  DECLINED: { title: 'declinedTitle', text: 'declined', tone: 'calm' },
  LEFT: { title: 'leftTitle', text: 'left', tone: 'calm' },
  EXPIRED: { title: 'expiredTitle', text: 'expired', tone: 'calm' },
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

const NEEDS_NEW_SETUP: readonly Outcome[] = ['SET_UP_AGAIN'];

export const outcomeScreen = (screen: Screen, state: State<'OUTCOME'>): readonly Node[] => {
  const { texts, phone } = screen;
  const { outcome, request, returnTo } = state;
  const shown = OUTCOMES[outcome];
  const back = returnTo !== undefined && el('a', { class: 'button', href: returnTo, rel: 'noreferrer', 'data-testid': 'return' }, texts.back);
  return [
    el('div', { class: `seal ${shown.tone}`, 'aria-hidden': 'true' }, shown.tone === 'good' ? mark() : sign(shown.tone)),
    title(texts[shown.title]),
    paragraph(about(texts[shown.text], request?.relyingPartyName ?? ''), 'outcome'),
    ...(outcome === 'LOCKED' ? [paragraph(lockedText(screen, state), 'locked-until')] : []),
    el(
      'div',
      { class: 'stack' },
      back,
      NEEDS_NEW_SETUP.includes(outcome)
        ? button(texts.enrolTitle, 'set-up-again', () => void phone.forget())
        : button(texts.done, 'done', () => phone.home(), back ? 'secondary' : ''),
    ),
  ];
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
