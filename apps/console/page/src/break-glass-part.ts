import { el } from '#web-page/browser';

import { bodyOf, button, type Dependencies } from './parts.js';
import { objectOf } from './portal-api.js';

const PATH = '/admin/v1/break-glass';

/** A break-glass that is under way, which each person of the staff can stop. Empty where there is none. */
export const breakGlassPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api } = dependencies;
  const place = el('div');
  const load = async (): Promise<void> => {
    const body = bodyOf(await api.get(PATH), dependencies);
    if (!body || !objectOf(body, 'breakGlass')) return place.replaceChildren();
    const stop = button(
      texts.stopBreakGlass,
      'stop-break-glass',
      async () => {
        if (bodyOf(await api.delete(PATH), dependencies)) await load();
      },
      'grave',
    );
    place.replaceChildren(
      el('section', { class: 'part', role: 'alert', 'data-testid': 'break-glass' }, el('p', { class: 'notice' }, texts.breakGlass), stop),
    );
  };
  void load();
  return place;
};
