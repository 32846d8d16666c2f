/** What the server's page must have. */
export const part = <Kind extends HTMLElement = HTMLElement>(root: HTMLElement, selector: string): Kind => {
  const found = root.querySelector<Kind>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};
