import { el } from '#web-page/browser';

import { activation } from './activation.js';
import { bodyOf, type Dependencies, entryForm, field, part } from './parts.js';
import { textOf } from './portal-api.js';

const PATH = '/admin/v1/identities';

/** Registers a person. Afterwards the page shows no datum of the person any more, only the ID, and offers the code for the first phone. */
export const registerPersonPart = (dependencies: Dependencies): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const registered = el('div', { class: 'secret', tabindex: -1 });
  const input = (id: string, extra: Parameters<typeof el<'input'>>[1] = {}): HTMLInputElement =>
    el('input', { type: 'text', required: true, spellcheck: 'false', autocomplete: 'off', 'data-testid': id, ...extra });
  const inputs = {
    given_name: input('new-given-name', { required: false }),
    family_name: input('new-family-name', { required: false }),
    country: input('new-country', { maxlength: 2 }),
    personal_code: input('new-personal-code'),
    date_of_birth: input('new-date-of-birth', {
      required: false,
      inputmode: 'numeric',
      placeholder: '1980-12-31',
      pattern: String.raw`\d{4}(-\d{2}(-\d{2})?)?`,
    }),
    email: input('new-email', { required: false, inputmode: 'email' }),
    phone_number: input('new-phone-number', { required: false, inputmode: 'tel' }),
  };

  const register = async (form: HTMLFormElement): Promise<void> => {
    registered.replaceChildren();
    const given = Object.entries(inputs).map(([name, { value }]) => [name, value.trim()] as const);
    const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
    const reply = await api.post(PATH, { ...filled, country: inputs.country.value.trim().toUpperCase() });
    if (reply.kind === 'REFUSED' && reply.errorCode === 'identity_exists') return tell(texts.personExists);
    const body = bodyOf(reply, dependencies);
    if (!body) return;
    form.reset();
    tell(texts.personRegistered, true);
    const identityId = textOf(body, 'identityId');
    const shown = el('p', {}, `${texts.identityId} `, el('code', { 'data-testid': 'registered-id' }, identityId));
    registered.replaceChildren(shown, activation(dependencies, `${PATH}/${identityId}`));
    registered.focus();
  };

  const form: HTMLFormElement = entryForm(
    () => register(form),
    field(texts.givenName, inputs.given_name),
    field(texts.familyName, inputs.family_name),
    field(texts.country, inputs.country),
    field(texts.personalCode, inputs.personal_code),
    field(texts.dateOfBirth, inputs.date_of_birth),
    field(texts.emailIfKnown, inputs.email),
    field(texts.phoneIfKnown, inputs.phone_number),
    el('button', { type: 'submit', class: 'do', 'data-testid': 'register-person' }, texts.register),
  );
  return part(
    texts.registerPerson,
    el('p', { class: 'soft' }, texts.registerPersonText),
    el('p', { class: 'soft' }, texts.registerKnownText),
    form,
    registered,
  );
};
