/** On a narrow window the list of pages opens and closes by its button. Without a script it is always open. */
export const offerPages = (): void => {
  const button = document.querySelector<HTMLButtonElement>('.open-pages');
  const pages = document.getElementById('pages');
  if (!button || !pages) return;
  const show = (open: boolean): void => {
    pages.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(!pages.classList.contains('open')));
  pages.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !pages.classList.contains('open')) return;
    show(false);
    button.focus();
  });
  // The list of a long chapter begins at the page that is open.
  pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  scrollTo({ top: location.hash === '' ? 0 : scrollY });
};
