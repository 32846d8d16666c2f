import { GUARDED_BOUNDS } from './guarded-bounds.js';
import { type Setting, settingsOf } from './setting.decorator.js';

/** The settings of a class as a Markdown table. */
export const settingsTable = (type: abstract new () => object): string =>
  ['| Setting | Value | Default | Meaning | Bounds when guarded |', '|---|---|---|---|---|', ...settingsOf(type).map(row)].join('\n');

const row = (setting: Setting): string =>
  `| \`${setting.env}\` | ${setting.as.expected} | ${fallback(setting)} | ${setting.meaning} | ${bounds(setting)} |`;

const bounds = ({ env }: Setting): string => GUARDED_BOUNDS[env]?.join(' to ') ?? '';

const fallback = ({ fallback: given, fallbackText }: Setting): string => fallbackText ?? (typeof given === 'string' ? `\`${given}\`` : 'unset');
