import { documentsOf, type SessionRequest } from '#clients/device';
import { clockText, el, foreignText, localeOf, secondsLeft, sentence, signedDocuments } from '#web-page/browser';
import type { PhoneState } from '../flow/phone-state.js';
import { pinPad } from './pin-pad.js';
import { kindOf, wordsOf } from './request-kind.js';
import { requestedWords } from './requested-words.js';
import { about, asker, button, fault, paragraph, type Screen, title } from './screen.js';
import { waitingPageWords } from './waiting-page.js';

type State<Kind extends PhoneState['kind']> = Extract<PhoneState, { kind: Kind }>;

/** The relying party first, then the purpose and the requested properties; Decline is as large as Confirm. */
export const consentScreen = (screen: Screen, { request }: State<'CONSENT'>): readonly Node[] => {
  const { texts, phone } = screen;
  const signing = request.signatureType === 'SIGNING';
  const { asks, yes, sharesSomething } = wordsOf(kindOf(request), texts);
  return [
    asker(request.relyingPartyName, asks),
    ...(request.relyingPartyDomain === undefined ? [] : [paragraph(foreignText(request.relyingPartyDomain), 'party-domain')]),
    ...message(screen, request),
    ...details(screen, request),
    ...(signing ? documentParts(screen, request) : []),
    ...(sharesSomething ? [shares(screen, request)] : []),
    onlyIf(screen, request),
    countdown(screen, request),
    el(
      'div',
      { class: 'choice' },
      button(texts.decline, 'decline', () => void phone.decline(), 'secondary'),
      button(yes, 'confirm', () => phone.proceed()),
    ),
  ];
};

/** Large numbers, far apart: a wrong one ends the request. */
export const chooseCodeScreen = (screen: Screen, { request, codes }: State<'CODE'>): readonly Node[] => {
  const { texts, phone } = screen;
  return [
    title(texts.codeChooseTitle),
    paragraph(about(texts.codeChooseText, request.relyingPartyName), 'code-for'),
    el(
      'div',
      { class: 'codes', role: 'group', 'aria-label': texts.codeChooseTitle },
      ...codes.map((code) => button(code, `code-${code}`, () => phone.choose(code), 'secondary')),
    ),
    button(texts.codeNone, 'decline', () => void phone.decline(), 'secondary'),
    countdown(screen, request),
  ];
};

export const pinScreen = (screen: Screen, state: State<'PIN'>): readonly Node[] => {
  const { texts, phone } = screen;
  const { request, attemptsLeft, unreachable } = state;
  const wrong = attemptsLeft === undefined ? undefined : sentence(texts.wrongPin, { count: attemptsLeft });
  const faultText = fault(unreachable ? texts.pinUnreachable : wrong);
  const decline = button(texts.decline, 'decline', () => void phone.decline(), 'secondary');
  const signing = request.signatureType === 'SIGNING';
  const { pinFor, yes } = wordsOf(kindOf(request), texts);
  return [
    title(texts.pinTitle),
    paragraph(about(pinFor, request.relyingPartyName), 'pin-for'),
    ...(signing ? documentsOf(request).map(({ name }) => el('p', { class: 'file', 'data-testid': 'pin-document' }, foreignText(name))) : []),
    ...(faultText ? [faultText] : []),
    pinPad(texts, yes, (pin) => void phone.confirm(pin), [decline]).element,
    countdown(screen, request),
  ];
};

/** The question whether the person began this, and what the service knows of the page where it began. */
const onlyIf = ({ texts }: Screen, { waitingPage = {} }: SessionRequest): HTMLElement =>
  el(
    'section',
    { class: 'warning', 'aria-labelledby': 'only-if' },
    el('h2', { id: 'only-if' }, texts.onlyIfTitle),
    el('p', {}, texts.onlyIfText),
    ...waitingPageWords(waitingPage, texts).map((words) => el('p', { 'data-testid': 'waiting-page' }, words)),
  );

/** Free text of the relying party: always labelled as theirs, and apart from our own words. */
const message = ({ texts }: Screen, { title: text, relyingPartyName }: SessionRequest): readonly Node[] =>
  text === undefined || text === ''
    ? []
    : [
        el(
          'figure',
          { class: 'message' },
          el('figcaption', {}, about(texts.messageFrom, relyingPartyName)),
          el('blockquote', { 'data-testid': 'request-title' }, foreignText(text)),
        ),
      ];

/** The change of the service that the person approves, word for word. Each line is isolated: what it quotes steers no other one. */
const details = ({ texts }: Screen, { details: words }: SessionRequest): readonly Node[] =>
  words === undefined
    ? []
    : [
        el(
          'section',
          { class: 'shares' },
          el('h2', {}, texts.details),
          el(
            'pre',
            { class: 'details', tabindex: 0, 'data-testid': 'details' },
            ...words.split('\n').flatMap((line, index) => [...(index > 0 ? ['\n'] : []), foreignText(line)]),
          ),
        ),
      ];

const documentParts = ({ texts, language }: Screen, request: SessionRequest): readonly Node[] => [
  signedDocuments(
    documentsOf(request),
    { document: texts.document, fingerprint: texts.fingerprint, fingerprintHint: texts.fingerprintHint },
    localeOf(language, navigator.languages),
  ),
];

const shares = ({ texts, language }: Screen, { requested, signatureType }: SessionRequest): HTMLElement => {
  const words = requested ? requestedWords(requested, language, texts) : [];
  const lines = signatureType === 'SIGNING' ? [texts.sharesIdentity, ...words] : words.length > 0 ? words : [texts.sharesNothing];
  return el(
    'section',
    { class: 'shares', 'data-testid': 'requested' },
    el('h2', {}, texts.shares),
    el('ul', {}, ...lines.map((line) => el('li', {}, line))),
  );
};

const countdown = ({ texts, now, phone, onLeave }: Screen, { expiresAt }: SessionRequest): HTMLElement => {
  const clock = el('span', { class: 'clock', 'data-testid': 'countdown' });
  const tick = (): void => {
    const seconds = secondsLeft(expiresAt, now());
    clock.textContent = clockText(seconds);
    if (seconds === 0) phone.expire();
  };
  clock.textContent = clockText(secondsLeft(expiresAt, now()));
  const timer = setInterval(tick, 500);
  onLeave(() => clearInterval(timer));
  return el('p', { class: 'countdown', role: 'timer' }, `${texts.timeLeft} `, clock);
};
