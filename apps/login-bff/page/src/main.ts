import { configText, currentLanguage, pageConfig, pauseUntilOnline, ServerClock } from '#web-page/browser';
import { readEntry } from './address.js';
import { cookiesBlocked } from './cookies-blocked.js';
import { HostedApi } from './hosted-api.js';
import { type Entry, LoginFlow } from './login-flow.js';
import { tabStorage } from './login-storage.js';
import { LoginPage } from './login-view.js';
import { loadMessages } from './messages/messages.js';

/** How long the page before this one may take to come, in milliseconds. */
const BACK_MS = 600;

/**
 * Goes back to the relying party: to the page before this one in the tab, which still holds everything that the person typed there;
 * if there is none, to the start page of the relying party's domain, as the service gave it.
 */
const leave = (url: string | undefined): void => {
  if (history.length <= 1) {
    if (url !== undefined) location.assign(url);
    return;
  }
  const stillHere = setTimeout(() => {
    if (url !== undefined) location.assign(url);
  }, BACK_MS);
  addEventListener('pagehide', () => clearTimeout(stillHere), { once: true });
  history.back();
};

/**
 * Builds the page for the address that it was opened with.
 *
 * @param sent the first call of the flow, if the first script has sent it already
 */
export const openLoginPage = async (entry: Entry, sent?: Promise<Response>): Promise<void> => {
  const language = currentLanguage();
  const texts = await loadMessages(language);
  const config = pageConfig();
  const clock = new ServerClock();
  const appUrl = config['appUrl'];
  const pollSeconds = config['pollSeconds'];
  const page = new LoginPage(document.getElementById('page') ?? document.body, language, texts, {
    loginUrl: configText(config, 'loginUrl'),
    appScheme: configText(config, 'appScheme'),
    ...(typeof appUrl === 'string' ? { appUrl } : {}),
    now: () => clock.knownNow(),
    canGoBack: (url) => url !== undefined || history.length > 1,
    goBack: leave,
    cancel: () => flow.cancel(),
    pushAgain: () => flow.pushAgain(),
    enterNumber: (number) => flow.enterNumber(number),
  });
  const flow: LoginFlow = new LoginFlow({
    api: new HostedApi(configText(config, 'baseUrl'), clock, undefined, sent),
    storage: tabStorage(),
    pause: pauseUntilOnline,
    now: Date.now,
    pollMs: (typeof pollSeconds === 'number' ? pollSeconds : 2) * 1000,
    cookiesBlocked,
    onChange: (view) => page.show(view),
  });
  // The app may return to this window: the address changes and the login continues. With a return token it begins anew, by its cookie.
  addEventListener('hashchange', () => {
    if (readEntry(new URL(location.href)).returnToken !== undefined) location.reload();
    else history.replaceState(null, '', location.pathname);
  });
  void flow.run(entry).then((state) => {
    if (state.kind === 'REDIRECTING') location.replace(state.redirect);
  });
};
