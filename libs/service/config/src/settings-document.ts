import { type Setting, settingsOf } from './setting.decorator.js';

/** The settings of a class as a Markdown table. */
export const settingsTable = (type: abstract new () => object): string =>
  ['| Setting | Value | Default | Meaning |', '|---|---|---|---|', ...settingsOf(type).map(row)].join('\n');

const row = (setting: Setting): string => `| \`${setting.env}\` | ${setting.as.expected} | ${fallback(setting)} | ${setting.meaning} |`;

const fallback = ({ fallback: given, fallbackText }: Setting): string => fallbackText ?? (typeof given === 'string' ? `\`${given}\`` : 'unset');
