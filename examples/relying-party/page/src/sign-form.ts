import { hashFile } from './hash-file.js';
import { part } from './part.js';
import { words } from './words.js';

/**
 * Hashes the chosen document and begins the signing without leaving the page, so that the document is still in memory when it is
 * signed. Resolves with the document once the server's next page is shown.
 */
export const signForm = (form: HTMLFormElement): Promise<File> =>
  new Promise((resolve) => {
    const button = part<HTMLButtonElement>(form, 'button');
    const problem = part(form, '[data-problem]');
    const begin = async (): Promise<void> => {
      const file = part<HTMLInputElement>(form, '[data-file]').files?.[0];
      if (!file || button.ariaDisabled === 'true') return;
      button.ariaDisabled = 'true';
      problem.hidden = true;
      try {
        const title = part<HTMLInputElement>(form, '[name="title"]').value;
        await showNext(form, new URLSearchParams({ sha512: await hashFile(file), name: file.name, size: String(file.size), title }));
        resolve(file);
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error);
        problem.hidden = false;
        button.ariaDisabled = null;
      }
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void begin();
    });
    // Before this script runs, the form would be sent without the document.
    button.disabled = false;
  });

const showNext = async (form: HTMLFormElement, body: URLSearchParams): Promise<void> => {
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
  if (!response) throw new Error(words().libraryNoAnswer);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = next.querySelector('main');
  if (!response.ok || !main) throw new Error(next.querySelector('main .lead')?.textContent ?? words().wentWrong);
  document.querySelector('main')?.replaceWith(main);
  history.pushState(undefined, '', response.url);
  main.querySelector<HTMLElement>('[data-scene]:not([hidden]) h1')?.focus();
};
