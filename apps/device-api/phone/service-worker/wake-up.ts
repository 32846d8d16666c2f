declare const self: ServiceWorkerGlobalScope;

/** The texts of the notification, in the languages of the phone. They say nothing about the request: anyone can read a locked screen. */
const REQUEST: Readonly<Record<string, string>> = {
  en: 'A service asks for your confirmation.',
  et: 'Üks teenus palub sinu kinnitust.',
  lv: 'Kāds pakalpojums lūdz jūsu apstiprinājumu.',
  lt: 'Paslauga prašo jūsų patvirtinimo.',
  ru: 'Сервис просит вашего подтверждения.',
  de: 'Ein Dienst bittet um Ihre Bestätigung.',
};

/** The person has another phone now. Its name is shown at home. */
const NEW_DEVICE: typeof REQUEST = {
  en: 'A new phone was set up for you. Was it you?',
  et: 'Sulle seadistati uus telefon. Kas see olid sina?',
  lv: 'Jums iestatīts jauns tālrunis. Vai tas bijāt jūs?',
  lt: 'Jums paruoštas naujas telefonas. Ar tai buvote jūs?',
  ru: 'Для вас настроен новый телефон. Это были вы?',
  de: 'Ein neues Telefon wurde für Sie eingerichtet. Waren Sie das?',
};

/** Tells the person that a request waits, or of a new phone. One notification of a kind, however many there are: the phone lists them. */
export const showPush = (content: string): Promise<void> => {
  const [texts, tag] = content.includes('"new-device"') ? ([NEW_DEVICE, 'new-device'] as const) : ([REQUEST, 'request'] as const);
  const body = texts[self.navigator.language.slice(0, 2)] ?? texts['en'] ?? '';
  return self.registration.showNotification('Countersign', { body, tag, icon: './icon-192.png' });
};

/** Brings the phone to the front, where home shows the request or the new phone; opens it if it is closed. */
export const openPhone = async (): Promise<void> => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const phone = windows.find(({ url }) => url.startsWith(self.registration.scope));
  await (phone ? phone.focus() : self.clients.openWindow(self.registration.scope));
};
