declare const self: ServiceWorkerGlobalScope;

/** The texts of the notification, in the languages of the phone. They say nothing about the request: anyone can read a locked screen. */
const TEXTS: Readonly<Record<string, string>> = {
  en: 'A service asks for your confirmation.',
  et: 'Üks teenus palub sinu kinnitust.',
  lv: 'Kāds pakalpojums lūdz jūsu apstiprinājumu.',
  lt: 'Paslauga prašo jūsų patvirtinimo.',
  ru: 'Сервис просит вашего подтверждения.',
  de: 'Ein Dienst bittet um Ihre Bestätigung.',
};

/** One notification, however many requests wait: the phone lists them. */
const TAG = 'request';

/** Tells the person that a request waits. */
export const showRequest = (): Promise<void> => {
  const body = TEXTS[self.navigator.language.slice(0, 2)] ?? TEXTS['en'] ?? '';
  return self.registration.showNotification('Countersign', { body, tag: TAG, icon: './icon-192.png' });
};

/** Brings the phone to the front, where its inbox shows the request; opens it if it is closed. */
export const openPhone = async (): Promise<void> => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const phone = windows.find(({ url }) => url.startsWith(self.registration.scope));
  await (phone ? phone.focus() : self.clients.openWindow(self.registration.scope));
};
