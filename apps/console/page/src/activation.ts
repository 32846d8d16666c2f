import { el } from '#web-page/browser';

import { bodyOf, button, shownOnce, type Dependencies } from './parts.js';
import { textOf } from './portal-api.js';

/** Makes an activation code for a phone of a person, and shows its link once. `path`: of the person in the API. */
export const activation = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const made = el('div');
  const issue = async (): Promise<void> => {
    const reply = await api.post(`${path}/activation-codes`);
    // Each role that sees the button may issue codes, but not for everyone.
    if (reply.kind === 'REFUSED' && reply.status === 403) return tell(texts.activationForMember);
    const body = bodyOf(reply, dependencies);
    if (body) made.replaceChildren(shownOnce(texts.activationOnce, textOf(body, 'link'), 'activation-link'));
  };
  return el('div', { class: 'secret' }, button(texts.newActivation, 'activation-code', issue, 'quiet'), made);
};
