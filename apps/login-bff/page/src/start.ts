import { loadStylesheet } from '#web-page/stylesheet';
import { readEntry } from './address.js';

// The token is a credential: remove it from the address bar and the history before anything else is fetched.
const entry = readEntry(new URL(location.href));
history.replaceState(null, '', location.pathname);

const [{ openLoginPage }] = await Promise.all([import('./main.js'), loadStylesheet()]);
openLoginPage(entry);
