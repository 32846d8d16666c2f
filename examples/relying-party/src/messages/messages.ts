import { de } from './de.js';
import { en, type Texts } from './en.js';
import { et } from './et.js';
import { lt } from './lt.js';
import { lv } from './lv.js';
import { ru } from './ru.js';

export type { Texts };

/** The texts of each language of the demo. */
export const TEXTS = { en, et, de, ru, lv, lt } as const satisfies Record<string, Texts>;

export type Language = keyof typeof TEXTS;

/** The name of each language in that language, so that its readers find it in the list. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  et: 'Eesti',
  de: 'Deutsch',
  ru: 'Русский',
  lv: 'Latviešu',
  lt: 'Lietuvių',
};

export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly Language[];
