import type { Language } from '#web-page/browser';
import { de } from './de.js';
import { en } from './en.js';
import { et } from './et.js';
import { ru } from './ru.js';

/** Every text of the web phone. `{name}` stands for the relying party's registered name. */
export type Messages = Readonly<Record<keyof typeof en, string>>;

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, et, de, ru };
