import { Enrolment, makeDeviceKeys, PhoneApi } from '#clients/device';
import { configText, currentLanguage, pageConfig, pauseUntilOnline, ServerClock } from '#web-page/browser';
import { BlockedClients } from './flow/blocked-clients.js';
import { describeDevice } from './flow/describe-device.js';
import { readFragment } from './flow/entry.js';
import { DeviceWatch } from './flow/device-watch.js';
import { Inbox } from './flow/inbox.js';
import { LogOuts } from './flow/log-outs.js';
import { IndexedDbMemory, IndexedDbStore } from './flow/indexed-db-store.js';
import { TabOpenRequest } from './flow/open-request.js';
import { Phone } from './flow/phone.js';
import { PushWakeUps } from './flow/push-wake-ups.js';
import { loadMessages } from './messages/messages.js';
import { PhonePage } from './view/phone-page.js';

/** Builds the phone for the fragment that it was opened with. */
export const openPhone = async (hash: string): Promise<void> => {
  const language = currentLanguage();
  const texts = await loadMessages(language);
  const config = pageConfig();
  const appScheme = configText(config, 'appScheme');
  const clock = new ServerClock();
  const api = new PhoneApi(configText(config, 'baseUrl'), clock);
  const now = (): number => clock.now();

  const pushes = new PushWakeUps({
    api,
    manager: async () => (await navigator.serviceWorker?.ready)?.pushManager,
    permission: () => ('Notification' in window && 'PushManager' in window ? Notification.permission : 'denied'),
    ask: () => Notification.requestPermission(),
    onChange: () => redrawHome(),
  });
  const blocked: BlockedClients = new BlockedClients({
    api,
    phone: {
      get prover() {
        return phone.prover;
      },
      showAtHome: (part) => phone.showAtHome(part),
    },
  });
  const logOuts: LogOuts = new LogOuts({
    api,
    phone: {
      get prover() {
        return phone.prover;
      },
    },
    onChange: () => redrawHome(),
  });
  const page: PhonePage = new PhonePage(document.getElementById('page') ?? document.body, language, texts, {
    now,
    goBack: (url) => location.assign(url),
    pushes,
    blocked,
    logOuts,
  });
  const redrawHome = (): void => void (phone.current.kind === 'HOME' && page.show(phone.current));
  const phone: Phone = new Phone({
    api,
    store: new IndexedDbStore(),
    memory: new IndexedDbMemory(),
    openRequest: new TabOpenRequest(),
    enrolment: new Enrolment({ api, makeKeys: makeDeviceKeys, describe: describeDevice(navigator.userAgent), now }),
    appScheme,
    now,
    sendOnLeaving: ({ url, init }) => void fetch(url, init).catch(() => undefined),
    onChange: (state) => {
      page.show(state);
      watch();
    },
  });
  page.attach(phone);

  const inbox = new Inbox({
    ask: (signal) => (phone.prover ? api.pending(phone.prover, signal) : Promise.resolve({ kind: 'UNREACHABLE' })),
    pause: pauseUntilOnline,
    onSessions: (sessions) => phone.showAtHome({ inbox: sessions }),
    onRefused: () => phone.revoked(),
  });
  const device = new DeviceWatch({
    ask: () => (phone.prover ? api.device(phone.prover) : Promise.resolve({ kind: 'UNREACHABLE' })),
    pause: pauseUntilOnline,
    now,
    onCheck: (check) => phone.showCheck(check),
    onRefused: () => phone.revoked(),
  });
  const watch = (): void => {
    if (phone.current.kind === 'HOME' && phone.prover) {
      void pushes.renew(phone.prover);
      void phone.renewal.renew();
    }
    const watched = phone.current.kind === 'HOME' && document.visibilityState === 'visible';
    for (const each of [inbox, device, phone.devices, blocked]) {
      if (watched) each.start();
      else each.stop();
    }
  };

  addEventListener('pagehide', () => phone.leave());
  addEventListener('visibilitychange', watch);
  addEventListener('hashchange', () => {
    const entry = readFragment(location.hash, appScheme);
    history.replaceState(null, '', location.pathname);
    if (entry !== undefined) void phone.take(entry);
  });
  void navigator.serviceWorker?.register('./service-worker.js').catch(() => undefined);
  void phone.start(readFragment(hash, appScheme));
};
