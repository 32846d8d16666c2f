/** Scalar's combo boxes name their state only while they are open. WAI-ARIA 1.2 requires `aria-expanded` when they are closed, too. */
export const nameClosedComboboxes = (root: Element): void => {
  const name = (): void => root.querySelectorAll(UNNAMED).forEach((box) => box.setAttribute('aria-expanded', 'false'));
  new MutationObserver(name).observe(root, { subtree: true, childList: true, attributeFilter: ['aria-expanded', 'role'] });
};

const UNNAMED = '[role="combobox"]:not([aria-expanded])';
