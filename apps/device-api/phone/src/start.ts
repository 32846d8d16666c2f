import { isTooOld, openProgram, startLanguage, takeNotStarted, write } from '#web-page/first-frame';
import type * as Main from './main.js';

/**
 * Runs inside the document, before anything is fetched: cleans the address bar, shows the first frame in the reader's language,
 * then fetches the rest at once. The build writes these values in.
 */
declare const MAIN_FILE: string;
declare const MESSAGE_FILES: Readonly<Record<string, string>>;
declare const FIRST_TEXTS: Readonly<Record<string, Readonly<Record<'enrolTitle' | 'enrolText' | 'codeByLink' | 'loading' | 'noAnswer', string>>>>;

// An activation code or a request is in the fragment: out of the address bar and the history before anything else.
const { hash } = location;
history.replaceState(null, '', location.pathname);

const language = startLanguage(Object.keys(FIRST_TEXTS));
const texts = FIRST_TEXTS[language];
document.documentElement.lang = language;

/** A browser that was a phone once gets no invitation to become one. */
const knowsThisPhone = (): boolean => {
  try {
    return localStorage.getItem('countersign.phone') !== null;
  } catch {
    return false;
  }
};
const showFirstFrame = (): void => {
  if (knowsThisPhone()) return write('first-title', texts?.loading);
  write('first-title', texts?.enrolTitle);
  write('first-text', hash.startsWith('#activate=') ? texts?.codeByLink : texts?.enrolText);
};

/** The keys of a phone. Browsers give them only to pages that came by https, or from this device itself. */
const canHoldKeys = (): boolean => 'indexedDB' in globalThis && 'subtle' in crypto;

const open = (): void => {
  void openProgram<typeof Main>({
    files: [MAIN_FILE, MESSAGE_FILES[language] ?? ''],
    open: ({ openPhone }) => openPhone(hash),
    noAnswer: () => write('first-text', texts?.noAnswer),
    cannotRun: takeNotStarted(language),
  });
};

if (!isTooOld()) {
  showFirstFrame();
  if (canHoldKeys()) open();
  else takeNotStarted(language)();
}
