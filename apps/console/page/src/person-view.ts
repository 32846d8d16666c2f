import { el, foreignText } from '#web-page/browser';

import { activation } from './activation.js';
import { bodyOf, confirmedButton, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** The data of one person, the devices, a new activation code, and the erasure. `erased`: the person exists no more. */
export const personView = (dependencies: Dependencies, person: Json, erased: () => void): readonly HTMLElement[] => {
  const { texts, api, tell } = dependencies;
  const path = `/admin/v1/identities/${textOf(person, 'identityId')}`;
  const wording = { text: texts.erase, id: 'erase', warning: texts.eraseWarning, yes: texts.eraseYes };
  const erase = confirmedButton(texts, wording, async () => {
    if (!bodyOf(await api.delete(path), dependencies)) return;
    erased();
    tell(texts.personErased, true);
  });
  return [dataOf(dependencies, person), devicesOf(dependencies, path), activation(dependencies, path), erase];
};

const dataOf = ({ texts }: Dependencies, person: Json): HTMLElement => {
  const rows = [
    [texts.givenName, 'givenName'],
    [texts.familyName, 'familyName'],
    [texts.personalCode, 'personalCode'],
    [texts.dateOfBirth, 'dateOfBirth'],
    [texts.country, 'country'],
    [texts.email, 'email'],
    [texts.phoneNumber, 'phoneNumber'],
  ] as const;
  const known = rows.filter(([, name]) => textOf(person, name) !== '');
  const entries = known.flatMap(([label, name]) => [el('dt', { class: 'soft' }, label), el('dd', {}, ...breakable(textOf(person, name)))]);
  return el('dl', { 'data-testid': 'person' }, ...entries);
};

/** A line may break behind the @ of an address. */
const breakable = (text: string): readonly HTMLElement[] =>
  text.split(/(?<=@)/).flatMap((piece, at) => (at === 0 ? [foreignText(piece)] : [el('wbr'), foreignText(piece)]));

const devicesOf = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api, time } = dependencies;
  const list = el('ul', { class: 'rows' });
  const load = async (): Promise<void> => {
    const page = bodyOf(await api.get(`${path}/devices`), dependencies);
    if (!page) return;
    list.replaceChildren(...listOf(page, 'devices').map(row));
    if (list.childElementCount === 0) list.append(el('li', { class: 'soft' }, texts.none));
  };
  const row = (device: Json): HTMLElement => {
    const status = textOf(device, 'status');
    const states: Readonly<Record<string, string>> = { ACTIVE: texts.deviceActive, LOCKED: texts.deviceLocked, REVOKED: texts.deviceRevoked };
    const wording = { text: texts.revoke, id: 'revoke-device', warning: texts.revokeWarning, yes: texts.revokeYes };
    const revoke = confirmedButton(texts, wording, async () => {
      if (bodyOf(await api.delete(`${path}/devices/${textOf(device, 'deviceId')}`), dependencies)) await load();
    });
    const until = time(device['lockedUntil']);
    const locked = until !== '' && `, ${texts.lockedUntil} ${until}`;
    const state = el('span', { class: 'soft state' }, `${states[status] ?? status} ${time(device['enrolledAt'])}`, locked);
    return el('li', { class: 'row' }, el('span', {}, foreignText(textOf(device, 'name')), state), status !== 'REVOKED' && revoke);
  };
  void load();
  return el('div', {}, el('h3', {}, texts.devices), list);
};
