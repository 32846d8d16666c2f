import { offerPages } from './offer-pages.js';
import { offerSearch } from './offer-search.js';

offerPages();
offerSearch();
// A table or code that fits is no stop of the keyboard.
for (const box of document.querySelectorAll<HTMLElement>('pre, .table')) if (box.scrollWidth <= box.clientWidth) box.removeAttribute('tabindex');
