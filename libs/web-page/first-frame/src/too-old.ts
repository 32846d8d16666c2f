/** Whether the document has said already that its browser is too old (tools/pages/too-old.html). Then no script of the page goes on. */
export const isTooOld = (): boolean => document.documentElement.hasAttribute('data-too-old');
