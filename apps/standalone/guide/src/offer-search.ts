import type { SiteSearch } from './site-search.js';

/** Milliseconds after the last key until the results are drawn. */
const PAUSE = 80;
const MOST = 12;

/** Opens the search by its button, by `/` and by Ctrl or Cmd with K. Arrows move through the results, which are links. */
export const offerSearch = (): void => {
  const button = document.querySelector<HTMLButtonElement>('.open-search');
  if (!button) return;
  const site = document.body.dataset['site'] ?? './';
  const box = searchBox();
  let search: Promise<SiteSearch> | undefined;
  const load = (): Promise<SiteSearch> => (search ??= import('./site-search.js').then(({ openSiteSearch }) => openSiteSearch(site)));

  const open = (): void => {
    if (box.dialog.open) return;
    document.body.append(box.dialog);
    box.dialog.showModal();
    box.input.select();
    load().catch(() => {
      search = undefined;
      box.status.textContent = 'The search does not answer. Check your connection and open it again.';
    });
  };

  const draw = async (): Promise<void> => {
    const words = box.input.value;
    const found = words.trim() === '' ? [] : (await load()).find(words, MOST);
    if (words !== box.input.value) return;
    box.results.replaceChildren(...found.map((section) => resultOf(section, site)));
    box.status.textContent = words.trim() === '' ? '' : found.length === 0 ? 'Nothing was found.' : `${found.length} results`;
  };

  let pause: ReturnType<typeof setTimeout> | undefined;
  box.input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => void draw().catch(() => undefined), PAUSE);
  });
  box.dialog.addEventListener('keydown', (event) => {
    moveBy(event, box);
    // A search field keeps the first Escape for itself.
    if (event.key === 'Escape') box.dialog.close();
  });
  box.dialog.addEventListener('click', ({ target }) => {
    // A click beside the box, or on a result of the page that is open.
    if (target === box.dialog || (target instanceof Element && target.closest('a'))) box.dialog.close();
  });
  box.form.addEventListener('submit', (event) => {
    event.preventDefault();
    void draw().then(() => box.results.querySelector('a')?.click());
  });
  button.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const asked = (event.key === '/' && !isTyping(event.target)) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!asked) return;
    event.preventDefault();
    open();
  });
};

interface SearchBox {
  readonly dialog: HTMLDialogElement;
  readonly form: HTMLFormElement;
  readonly input: HTMLInputElement;
  readonly results: HTMLUListElement;
  readonly status: HTMLElement;
}

const searchBox = (): SearchBox => {
  const dialog = make('dialog', { class: 'search', 'aria-label': 'Search' });
  const form = make('form', { role: 'search' });
  const input = make('input', { type: 'search', 'aria-label': 'Words to look for', placeholder: 'Search', autocomplete: 'off', spellcheck: 'false' });
  const close = make('button', { type: 'button', class: 'close' });
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const results = make('ul', {});
  const status = make('p', { role: 'status' });
  form.append(input, close);
  dialog.append(form, status, results);
  return { dialog, form, input, results, status };
};

const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Readonly<Record<string, string>>): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const resultOf = (
  { address, page, title, excerpt }: { address: string; page: string; title: string; excerpt: string },
  site: string,
): HTMLLIElement => {
  const [link, heading, place, text] = [make('a', { href: `${site}${address}` }), make('strong', {}), make('span', {}), make('small', {})];
  [heading.textContent, place.textContent, text.textContent] = [title, page === title ? '' : page, excerpt];
  link.append(heading, ' ', place, ' ', text);
  const item = make('li', {});
  item.append(link);
  return item;
};

const moveBy = (event: KeyboardEvent, { input, results }: SearchBox): void => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [input, ...results.querySelectorAll('a')];
  const place = stops.indexOf(document.activeElement as HTMLInputElement);
  stops[Math.min(Math.max(place + (event.key === 'ArrowDown' ? 1 : -1), 0), stops.length - 1)]?.focus();
  event.preventDefault();
};

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
