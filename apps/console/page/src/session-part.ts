import { el } from '#web-page/browser';

import { bodyOf, type Dependencies, entryForm, field, part } from './parts.js';
import { listOf, textOf } from './portal-api.js';
import { endText, stepText } from './timeline-words.js';

/** Looks a session up by its id. `path`: the parent of `sessions` in the API. */
export const sessionPart = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api, tell, time } = dependencies;
  const found = el('div', { class: 'secret', tabindex: -1 });
  const sessionId = el('input', { type: 'text', required: true, spellcheck: 'false', autocomplete: 'off', 'data-testid': 'session-id' });
  const show = async (): Promise<void> => {
    found.replaceChildren();
    const reply = await api.get(`${path}/sessions/${encodeURIComponent(sessionId.value.trim())}/timeline`);
    if (reply.kind === 'REFUSED' && reply.status === 404) return tell(texts.noSession);
    const timeline = bodyOf(reply, dependencies);
    if (!timeline) return;
    tell('');
    const steps = listOf(timeline, 'events').map((event) =>
      el('li', {}, el('span', { class: 'soft' }, time(event['at'])), ` ${stepText(texts, event)}`),
    );
    found.replaceChildren(
      el('p', { class: 'notice', 'data-testid': 'session-end' }, endText(texts, timeline)),
      el('ol', { class: 'attempts' }, ...steps),
    );
    if (path === '/admin/v1') found.append(el('p', {}, `${texts.clientId} `, el('code', {}, textOf(timeline, 'clientId'))));
    found.focus();
  };
  const form = entryForm(
    show,
    field(texts.sessionId, sessionId),
    el('button', { type: 'submit', class: 'do', 'data-testid': 'find-session' }, texts.findSession),
  );
  return part(texts.sessionTitle, el('p', { class: 'soft' }, texts.sessionText), form, found);
};
