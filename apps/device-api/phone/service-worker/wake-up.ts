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

/** An activation code was issued for a person with a role in the portal. Its holder can set up another phone for that person. */
const NEW_CODE: typeof REQUEST = {
  en: 'A code to set up another phone was issued for you. If you did not ask for it, tell your administrators now.',
  et: 'Sinu nimele väljastati kood uue telefoni seadistamiseks. Kui sa seda ei küsinud, teata kohe oma administraatoritele.',
  lv: 'Jums izsniegts kods jauna tālruņa iestatīšanai. Ja jūs to nelūdzāt, nekavējoties ziņojiet saviem administratoriem.',
  lt: 'Jums išduotas kodas naujam telefonui paruošti. Jei jo neprašėte, nedelsdami praneškite savo administratoriams.',
  ru: 'Для вас выдан код для настройки нового телефона. Если вы его не запрашивали, сразу сообщите своим администраторам.',
  de: 'Für Sie wurde ein Code zum Einrichten eines weiteren Telefons ausgestellt. Haben Sie ihn nicht angefordert, sagen Sie es sofort Ihren Administratoren.',
};

/** The texts by what a push says; each kind has one notification. */
const NOTICES = { 'new-device': NEW_DEVICE, 'new-code': NEW_CODE } as const;

/** Tells the person that a request waits, of a new phone, or of a code for one. One notification of a kind, however many there are: the phone lists them. */
export const showPush = (content: string): Promise<void> => {
  const [tag, texts] = Object.entries(NOTICES).find(([type]) => content.includes(`"${type}"`)) ?? ['request', REQUEST];
  const body = texts[self.navigator.language.slice(0, 2)] ?? texts['en'] ?? '';
  return self.registration.showNotification('Countersign', { body, tag, icon: './icon-192.png' });
};

/** Brings the phone to the front, where home shows the request or the new phone; opens it if it is closed. */
export const openPhone = async (): Promise<void> => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const phone = windows.find(({ url }) => url.startsWith(self.registration.scope));
  await (phone ? phone.focus() : self.clients.openWindow(self.registration.scope));
};
