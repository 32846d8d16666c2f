/** The selector of an element that a redrawn screen has too. A summary is found by its `details`. */
const selectorOf = (element: Element | null | undefined): string | undefined => {
  const { parentElement } = element ?? {};
  if (element?.localName === 'summary' && parentElement?.dataset['testid'] !== undefined)
    return `[data-testid="${parentElement.dataset['testid']}"] > summary`;
  const testid = element?.getAttribute('data-testid') ?? null;
  return testid === null ? undefined : `[data-testid="${testid}"]`;
};

const selectorsOf = (card: HTMLElement, selector: string): readonly string[] =>
  [...card.querySelectorAll(selector)].flatMap((element) => selectorOf(element) ?? []);

/**
 * Remembers what the person did on a screen that is about to be redrawn, for another language or for a new entry in the inbox: typed text, unfolded parts,
 * an open dialog, and the focus. The returned function repeats it on the new elements. A typed PIN is not kept.
 */
export const rememberScreen = (card: HTMLElement): ((redrawn: HTMLElement) => void) => {
  const focused = card.contains(document.activeElement) ? selectorOf(document.activeElement) : undefined;
  const texts = [...card.querySelectorAll('input')].map((input) => [input.dataset['testid'], input.value] as const);
  const unfolded = selectorsOf(card, 'details[open]');
  const dialogs = selectorsOf(card, 'dialog[open]');
  return (redrawn) => {
    for (const [testid, value] of texts) {
      const input = redrawn.querySelector<HTMLInputElement>(`[data-testid="${testid}"]`);
      if (input !== null && testid !== 'pin' && value !== '') input.value = value;
    }
    for (const selector of unfolded) redrawn.querySelector<HTMLDetailsElement>(selector)?.setAttribute('open', '');
    for (const selector of dialogs) redrawn.querySelector<HTMLDialogElement>(selector)?.showModal();
    if (focused !== undefined) redrawn.querySelector<HTMLElement>(focused)?.focus();
  };
};
