import { loadStylesheet } from '#web-page/stylesheet';

// An activation code or a request is in the fragment: out of the address bar and the history before anything else.
const { hash } = location;
history.replaceState(null, '', location.pathname);

const [{ openPhone }] = await Promise.all([import('./main.js'), loadStylesheet()]);
await openPhone(hash);
