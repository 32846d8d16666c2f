import { currentLanguage } from '#web-page/browser';
import { isTooOld } from '#web-page/first-frame';

import { loadMessages } from './messages/messages.js';
import { PortalApi } from './portal-api.js';
import { PortalPage } from './portal-page.js';

// The code of an invitation is a credential: out of the address bar and the history before anything else.
const fragment = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', location.pathname);

if (!isTooOld()) {
  const language = currentLanguage();
  const page = new PortalPage(document.getElementById('page') ?? document.body, language, await loadMessages(language), new PortalApi());
  await page.open({ invitation: fragment.get('invitation') ?? undefined, refused: fragment.get('refused') ?? undefined });
}
