import { isTooOld, openProgram, pageConfig, startLanguage, takeNotStarted, write } from '#web-page/first-frame';
import { readEntry } from './address.js';
import { cookiesBlocked } from './cookies-blocked.js';
import { sendClaim, sendDescribe } from './hosted-request.js';
import { hasKeptLogin } from './kept-login.js';
import type * as Main from './main.js';

/**
 * Runs inside the document, before anything is fetched: cleans the address bar, shows the first frame in the reader's language,
 * claims the login or asks for that of the cookie, and fetches the rest of the page at the same time. The build writes these values in.
 */
declare const MAIN_FILE: string;
declare const MESSAGE_FILES: Readonly<Record<string, string>>;
type FirstText = 'title' | 'starting' | 'step1' | 'nothingTitle' | 'nothing' | 'offline';
declare const FIRST_TEXTS: Readonly<Record<string, Readonly<Record<FirstText, string>>>>;

// The token is a credential: remove it from the address bar and the history before anything else.
const entry = readEntry(new URL(location.href));
history.replaceState(null, '', location.pathname);

const begin = (): void => {
  const language = startLanguage(Object.keys(FIRST_TEXTS));
  const texts = FIRST_TEXTS[language];
  document.documentElement.lang = language;

  write('first-title', texts?.title);
  write('first-text', texts?.starting);
  write('first-detail', texts?.step1);

  const { baseUrl } = pageConfig();
  /** The first call of the flow, where it is known before the flow is here. */
  const firstCall = (service: string): Promise<Response> | undefined => {
    if (entry.handoffToken !== undefined) return sendClaim(service, entry.handoffToken);
    return entry.returned === true || hasKeptLogin() ? undefined : sendDescribe(service);
  };
  const sent = typeof baseUrl === 'string' ? firstCall(baseUrl) : undefined;

  // The flow repeats a call without an answer.
  void sent?.then(
    ({ status }) => {
      // It has no login of this browser, so there is nothing to load.
      if (status !== 401 || cookiesBlocked()) return;
      write('first-title', texts?.nothingTitle);
      write('first-text', texts?.nothing);
      write('first-detail', '');
      document.getElementById('first-code')?.remove();
    },
    () => undefined,
  );

  void openProgram<typeof Main>({
    files: [MAIN_FILE, MESSAGE_FILES[language] ?? ''],
    open: ({ openLoginPage }) => openLoginPage(entry, sent),
    noAnswer: () => write('first-text', texts?.offline),
    cannotRun: takeNotStarted(language),
  });
};

if (!isTooOld()) begin();
