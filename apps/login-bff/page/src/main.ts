import { configText, pageConfig, pauseUntilOnline, ServerClock } from '#web-page/browser';
import { HostedApi } from './hosted-api.js';
import { type Entry, LoginFlow } from './login-flow.js';
import { tabStorage } from './login-storage.js';
import { LoginPage } from './login-view.js';

/** Builds the page for the address that it was opened with. */
export const openLoginPage = (entry: Entry): void => {
  const config = pageConfig();
  const clock = new ServerClock();
  const appUrl = config['appUrl'];
  const pollSeconds = config['pollSeconds'];
  const page = new LoginPage(document.getElementById('page') ?? document.body, {
    loginUrl: configText(config, 'loginUrl'),
    appScheme: configText(config, 'appScheme'),
    ...(typeof appUrl === 'string' ? { appUrl } : {}),
    now: () => clock.now(),
    // The page knows no address of the relying party, and must not take one from the browser. The entry before this one
    // in the tab's history is the page that sent the person here, with everything they had typed there.
    goBack: () => history.back(),
  });
  const flow = new LoginFlow({
    api: new HostedApi(configText(config, 'baseUrl'), clock),
    storage: tabStorage(),
    pause: pauseUntilOnline,
    now: Date.now,
    pollMs: (typeof pollSeconds === 'number' ? pollSeconds : 2) * 1000,
    onChange: (view) => page.show(view),
  });
  // The app may return to this window: the address changes and the login continues.
  addEventListener('hashchange', () => history.replaceState(null, '', location.pathname));
  void flow.run(entry).then((state) => {
    if (state.kind === 'REDIRECTING') location.replace(state.redirect);
  });
};
