import { el } from '#web-page/browser';

import { bodyOf, button, field, type Dependencies } from './parts.js';
import { type Json, listOf, objectOf, textOf } from './portal-api.js';

/** Shows the proof of an erasure by the ID of the person, who is not found by the personal code any more. */
export const erasurePart = (dependencies: Dependencies, show: (...content: readonly HTMLElement[]) => void): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const id = el('input', { type: 'text', required: true, spellcheck: 'false', autocomplete: 'off', 'data-testid': 'erased-id' });
  const find = async (): Promise<void> => {
    const reply = await api.get(`/admin/v1/identities/${encodeURIComponent(id.value.trim())}/erasure`);
    if (reply.kind === 'REFUSED' && reply.status === 404) return tell(texts.noErasure);
    const proof = bodyOf(reply, dependencies);
    if (!proof) return;
    tell('');
    show(erasureView(dependencies, proof));
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void find();
  };
  return el(
    'form',
    { submit },
    el('h3', {}, texts.erasure),
    el('p', { class: 'soft' }, texts.erasureText),
    field(texts.identityId, id),
    el('button', { type: 'submit', class: 'do quiet', 'data-testid': 'show-erasure' }, texts.erasureShow),
  );
};

/** The proof of an erasure that was asked for just now, with a button that asks again while it is under way. */
export const erasureView = (dependencies: Dependencies, proof: Json, again?: () => Promise<void>): HTMLElement => {
  const { texts, time } = dependencies;
  const state = textOf(proof, 'state');
  const states: Readonly<Record<string, string>> = { ERASING: texts.erasureRuns, SESSIONS_LEFT: texts.erasureSessions, ERASED: texts.erasureDone };
  const by = textOf(proof, 'erasedBy');
  return el(
    'div',
    { 'data-testid': 'erasure' },
    el('h3', {}, texts.erasure),
    el('p', {}, `${texts.identityId} `, el('code', {}, textOf(proof, 'identityId'))),
    el('p', { 'data-testid': 'erasure-state' }, states[state] ?? state),
    el('p', {}, `${texts.erasureAt} ${time(proof['erasedAt'])}`),
    by !== '' && el('p', {}, `${texts.auditBy} `, el('code', {}, by)),
    el('p', { class: 'soft' }, `${texts.erasureStreams} ${time(proof['checkedAt'])}`),
    el('ul', { class: 'rows' }, ...listOf(proof, 'streams').map((stream) => streamRow(dependencies, stream)), listRow(dependencies, proof)),
    el('p', { class: 'soft' }, texts.erasureEvents),
    el('ul', { class: 'rows' }, ...listOf(proof, 'events').map((event) => eventRow(dependencies, event))),
    again && state !== 'ERASED' && button(texts.refresh, 'erasure-again', again, 'quiet'),
  );
};

const streamRow = ({ texts }: Dependencies, stream: Json): HTMLElement =>
  el(
    'li',
    { class: 'row' },
    el('code', {}, textOf(stream, 'stream')),
    el('span', {}, stream['readable'] === false ? texts.streamEmpty : texts.streamReadable),
  );

const listRow = ({ texts }: Dependencies, proof: Json): HTMLElement => {
  const { listed, subjectIds } = objectOf(proof, 'readModel') ?? {};
  const unlisted = listed === false && subjectIds === 0;
  return el('li', { class: 'row' }, el('span', {}, texts.erasureLists), el('span', {}, unlisted ? texts.streamEmpty : texts.streamReadable));
};

const eventRow = ({ time }: Dependencies, event: Json): HTMLElement =>
  el(
    'li',
    { class: 'entry' },
    el('p', {}, el('span', { class: 'soft' }, time(event['at'])), ' ', el('code', {}, textOf(event, 'type'))),
    el('p', {}, 'ID ', el('code', {}, textOf(event, 'eventId'))),
    textOf(event, 'mac') !== '' && el('p', {}, 'MAC ', el('code', {}, textOf(event, 'mac'))),
  );
