/** An element that the server's page must contain. Throws an Error when it is missing. */
export const part = <Kind extends HTMLElement = HTMLElement>(root: HTMLElement, selector: string): Kind => {
  const found = root.querySelector<Kind>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};
