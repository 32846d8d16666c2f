import { el, foreignName } from '#web-page/browser';

import type { PartContext } from './client-context.js';
import { bodyOf, button, field, part, type Dependencies } from './parts.js';
import { type Json, objectOf, textOf, textsOf } from './portal-api.js';

/** The settings of a relying party. A member can change those that need consent only if the service asks operators for consent; an operator always can. */
export const settingsPart = (dependencies: Dependencies, client: Json, context: PartContext): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const { path, roles, needsConsent, reload } = context;
  const isOperator = roles.includes('operator');
  const waits = needsConsent && !isOperator;
  // A member edits the terms that wait for consent; an operator edits the terms in force.
  const terms = waits ? { ...client, ...objectOf(objectOf(context.consent, 'waiting') ?? {}, 'changes') } : client;
  const name = el('input', { type: 'text', autocomplete: 'off', 'data-testid': 'name' });
  name.value = textOf(terms, 'name');
  const uris = lines(textsOf(terms, 'redirectUris'), 'redirect-uris');
  const attributes = lines(textsOf(terms, 'allowedAttributes'), 'allowed-attributes');
  const predicates = lines(textsOf(terms, 'allowedPredicates'), 'allowed-predicates');
  const dynamic = el('input', { type: 'checkbox', checked: client['dynamicQr'] === true, 'data-testid': 'dynamic-qr' });
  const code = el('input', { type: 'checkbox', checked: client['verificationCode'] === true, 'data-testid': 'verification-code' });
  const byNumber = el('input', { type: 'checkbox', checked: terms['finishByNumber'] === true, 'data-testid': 'finish-by-number' });
  const mayAll = isOperator || needsConsent;
  const save = button(texts.save, 'save', async () => {
    const lists = { allowed_attributes: linesOf(attributes), allowed_predicates: linesOf(predicates) };
    const vouched = { name: name.value.trim(), ...lists, finish_by_number: byNumber.checked };
    const free = { redirect_uris: linesOf(uris), dynamic_qr: dynamic.checked, verification_code: code.checked };
    if (!bodyOf(await api.patch(path, { ...free, ...(mayAll && vouched) }), dependencies)) return;
    if (waits) await reload(texts.savedWaits);
    else tell(texts.saved, true);
  });
  return part(
    texts.settings,
    ...(waits ? [el('p', { class: 'soft' }, texts.needsConsent)] : []),
    mayAll ? field(texts.name, name) : el('p', {}, foreignName(textOf(client, 'name'))),
    el('p', {}, `${texts.clientId} `, el('code', { 'data-testid': 'client-id' }, textOf(client, 'clientId'))),
    field(texts.redirectUris, uris),
    ...(mayAll ? [field(texts.allowedAttributes, attributes), field(texts.allowedPredicates, predicates)] : []),
    el('label', { class: 'choice' }, dynamic, texts.dynamicQr),
    el('label', { class: 'choice' }, code, texts.verificationCode),
    ...(mayAll ? [el('label', { class: 'choice' }, byNumber, texts.finishByNumber)] : []),
    el('div', { class: 'actions' }, save),
  );
};

const lines = (texts: readonly string[], id: string): HTMLTextAreaElement => {
  const area = el('textarea', { rows: 3, spellcheck: 'false', 'data-testid': id });
  area.value = texts.join('\n');
  return area;
};

const linesOf = ({ value }: HTMLTextAreaElement): readonly string[] => value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
