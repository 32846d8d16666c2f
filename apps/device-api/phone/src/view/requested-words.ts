import type { Requested } from '#clients/device';
import { type Language, sentence } from '#web-page/browser';
import type { Messages } from '../messages/messages.js';

const ATTRIBUTES: ReadonlyMap<string, keyof Messages> = new Map([
  ['name', 'attributeName'],
  ['givenName', 'attributeGivenName'],
  ['familyName', 'attributeFamilyName'],
  ['personalCode', 'attributePersonalCode'],
  ['dateOfBirth', 'attributeDateOfBirth'],
  ['country', 'attributeCountry'],
  ['email', 'attributeEmail'],
  ['phoneNumber', 'attributePhoneNumber'],
]);

/** The requested properties as texts. A property without a text is shown by its name, never left out. */
export const requestedWords = (requested: Requested, language: Language, messages: Messages): readonly string[] => [
  ...requested.attributes.map((name) => {
    const key = ATTRIBUTES.get(name);
    return key === undefined ? unknown(name, messages) : messages[key];
  }),
  ...requested.predicates.map((name) => predicateWords(name, language, messages)),
];

const predicateWords = (name: string, language: Language, messages: Messages): string => {
  const age = /^ageOver(\d{1,3})$/.exec(name)?.[1];
  if (age !== undefined) return sentence(messages.predicateAgeOver, { age });
  const code = /^countryIs([A-Z]{2})$/.exec(name)?.[1];
  if (code === undefined) return unknown(name, messages);
  const country = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code;
  return sentence(messages.predicateCountryIs, { country });
};

const unknown = (name: string, messages: Messages): string => sentence(messages.attributeUnknown, { name });
