import type { Language } from '#web-page/browser';
import { de } from './de.js';
import { en, type Messages } from './en.js';
import { et } from './et.js';
import { lt } from './lt.js';
import { lv } from './lv.js';
import { ru } from './ru.js';

export type { Messages };

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, et, de, ru, lv, lt };
