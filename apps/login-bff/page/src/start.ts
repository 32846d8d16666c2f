import { openProgram, pageConfig, startLanguage, takeNotStarted } from '#web-page/first-frame';
import { readEntry } from './address.js';
import { sendClaim } from './hosted-request.js';
import type * as Main from './main.js';

/**
 * Runs inside the document, before anything is fetched: cleans the address bar, shows the first frame in the reader's language,
 * claims the login, and fetches the rest of the page at the same time. The build writes these values in.
 */
declare const MAIN_FILE: string;
declare const MESSAGE_FILES: Readonly<Record<string, string>>;
type FirstText = 'title' | 'starting' | 'step1' | 'offline';
declare const FIRST_TEXTS: Readonly<Record<string, Readonly<Record<FirstText, string>>>>;

// The token is a credential: remove it from the address bar and the history before anything else.
const entry = readEntry(new URL(location.href));
history.replaceState(null, '', location.pathname);

const language = startLanguage(Object.keys(FIRST_TEXTS));
const texts = FIRST_TEXTS[language];
const write = (name: string, text: string | undefined): void => {
  const element = document.getElementById(name);
  if (element !== null && text !== undefined) element.textContent = text;
};
document.documentElement.lang = language;

write('first-title', texts?.title);
write('first-text', texts?.starting);
write('first-detail', texts?.step1);

const { baseUrl } = pageConfig();
const claimed = entry.handoffToken !== undefined && typeof baseUrl === 'string' ? sendClaim(baseUrl, entry.handoffToken) : undefined;
// The flow repeats a claim without an answer.
claimed?.catch(() => undefined);

const messages = MESSAGE_FILES[language] ?? '';
const preload = document.createElement('link');
preload.rel = 'modulepreload';
preload.href = messages;
document.head.append(preload);

void openProgram<typeof Main>({
  files: [MAIN_FILE, messages],
  open: ({ openLoginPage }) => openLoginPage(entry, claimed),
  noAnswer: () => write('first-text', texts?.offline),
  cannotRun: takeNotStarted(language),
});
