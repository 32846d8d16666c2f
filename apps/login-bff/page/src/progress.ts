import { el } from '#web-page/browser';
import type { Messages } from './messages/messages.js';

/** The steps of a request that a phone has: the code was read, the person decides on the phone, the browser goes back. */
export const progress = (texts: Messages, { signing, confirmed }: { readonly signing: boolean; readonly confirmed: boolean }): HTMLElement => {
  const steps = [texts.stepScan, signing ? texts.stepSign : texts.stepConfirm, texts.stepBack];
  const current = confirmed ? 2 : 1;
  return el(
    'ol',
    { class: 'progress', 'data-testid': 'progress' },
    ...steps.map((step, index) =>
      el(
        'li',
        { class: index < current ? 'past' : index === current ? 'current' : 'ahead', 'aria-current': index === current ? 'step' : undefined },
        step,
      ),
    ),
  );
};
