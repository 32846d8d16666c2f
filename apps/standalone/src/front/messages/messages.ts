import { de } from './de.js';
import { en } from './en.js';
import { et } from './et.js';
import { lt } from './lt.js';
import { lv } from './lv.js';
import { ru } from './ru.js';

export type Texts = typeof en;

/** The texts of the welcome page by language. */
export const MESSAGES = { en, et, lv, lt, de, ru } as const satisfies Readonly<Record<string, Texts>>;
export type Language = keyof typeof MESSAGES;

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  et: 'Eesti',
  lv: 'Latviešu',
  lt: 'Lietuvių',
  de: 'Deutsch',
  ru: 'Русский',
};

export const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(MESSAGES, text);
