import { configText, pageConfig, pauseUntilOnline, ServerClock } from '#web-page/browser';
import { PhoneApi } from './api/phone-api.js';
import { describeDevice } from './flow/describe-device.js';
import { Enrolment } from './flow/enrolment.js';
import { readFragment } from './flow/entry.js';
import { Inbox } from './flow/inbox.js';
import { IndexedDbStore } from './flow/indexed-db-store.js';
import { Phone } from './flow/phone.js';
import { PhonePage } from './view/phone-page.js';

/** Builds the phone for the fragment that it was opened with. */
export const openPhone = (hash: string): void => {
  const config = pageConfig();
  const appScheme = configText(config, 'appScheme');
  const clock = new ServerClock();
  const api = new PhoneApi(configText(config, 'baseUrl'), clock);
  const now = (): number => clock.now();

  const page = new PhonePage(document.getElementById('page') ?? document.body, {
    now,
    deviceStatus: async () => {
      const reply = phone.prover && (await api.device(phone.prover));
      return reply?.kind === 'OK' ? reply.body : undefined;
    },
  });
  const phone = new Phone({
    api,
    store: new IndexedDbStore(),
    enrolment: new Enrolment({ api, describe: describeDevice(navigator.userAgent), now }),
    appScheme,
    now,
    sendOnLeaving: ({ url, init }) => void fetch(url, init).catch(() => undefined),
    onChange: (state) => {
      page.show(state);
      watchInbox();
    },
  });
  page.attach(phone);

  const inbox = new Inbox({
    ask: (signal) => (phone.prover ? api.pending(phone.prover, signal) : Promise.resolve({ kind: 'UNREACHABLE' })),
    pause: pauseUntilOnline,
    onSessions: (sessions) => phone.showInbox(sessions),
    onRefused: () => phone.revoked(),
  });
  const watchInbox = (): void => {
    if (phone.current.kind === 'HOME' && document.visibilityState === 'visible') inbox.start();
    else inbox.stop();
  };

  addEventListener('pagehide', () => phone.leave());
  addEventListener('visibilitychange', watchInbox);
  addEventListener('hashchange', () => {
    const entry = readFragment(location.hash, appScheme);
    history.replaceState(null, '', location.pathname);
    if (entry !== undefined) void phone.take(entry);
  });
  void navigator.serviceWorker?.register('./service-worker.js').catch(() => undefined);
  void phone.start(readFragment(hash, appScheme));
};
