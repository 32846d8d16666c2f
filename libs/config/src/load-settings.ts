import { validateSync } from 'class-validator';

import { type Setting, settingsOf } from './setting.decorator.js';

/** The process cannot start like this. Says of each wrong setting what to do, and never what it was set to. */
export class InvalidSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidSettings';
  }
}

/** The environment as a settings class. An empty variable counts as absent. Throws {@link InvalidSettings}. */
export const loadSettings = <Settings extends object>(type: new () => Settings, environment: NodeJS.ProcessEnv): Settings => {
  const settings = new type();
  const problems: string[] = [];
  const all = settingsOf(type);
  for (const setting of all) {
    const given = environment[setting.env]?.trim();
    const text = given || fallbackOf(setting, settings);
    const value = text === undefined ? undefined : setting.as.parse(text);
    if (value !== undefined) Object.assign(settings, { [setting.property]: value });
    else if (given) problems.push(`${setting.env} must be ${setting.as.expected}.`);
  }
  if (problems.length === 0) problems.push(...brokenRules(settings, all));
  if (problems.length > 0) throw new InvalidSettings(problems);
  return Object.freeze(settings);
};

const fallbackOf = ({ fallback }: Setting, above: object): string | undefined =>
  typeof fallback === 'function' ? fallback(above as never) : fallback;

const brokenRules = (settings: object, all: readonly Setting[]): string[] =>
  validateSync(settings, { forbidUnknownValues: false }).map(({ property, constraints = {} }) => {
    const name = all.find((setting) => setting.property === property)?.env ?? property;
    return Object.values(constraints).map((rule) => `${rule.replace(property, name)}.`).join(' ');
  });
