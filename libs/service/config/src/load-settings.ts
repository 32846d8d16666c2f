import { validateSync } from 'class-validator';

import { type Setting, settingsOf } from './setting.decorator.js';

/** Wrong settings prevent the start. Each problem names the setting and what to do, never its value. */
export class InvalidSettings extends Error {
  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, options);
    this.name = 'InvalidSettings';
  }
}

/** Reads the environment into a settings class. An empty variable counts as absent. Throws {@link InvalidSettings}. */
export const loadSettings = <Settings extends object>(type: new () => Settings, environment: NodeJS.ProcessEnv): Settings => {
  const { settings, problems } = examineSettings(type, environment);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return Object.freeze(settings);
};

/** Reads the environment into a settings class. A setting with a problem stays undefined, and so does one that is derived from it. */
export const examineSettings = <Settings extends object>(
  type: new () => Settings,
  environment: NodeJS.ProcessEnv,
): { readonly settings: Settings; readonly problems: readonly string[] } => {
  const settings = new type();
  const problems: string[] = [];
  const all = settingsOf(type);
  for (const setting of all) {
    const given = environment[setting.env]?.trim();
    const fault = given && setting.as.faultOf?.(given);
    if (fault) {
      problems.push(`${setting.env} ${fault}.`);
      continue;
    }
    const text = given || fallbackOf(setting, settings);
    const value = text === undefined ? undefined : setting.as.parse(text);
    if (value !== undefined) Object.assign(settings, { [setting.property]: value });
    else if (given) problems.push(`${setting.env} must be ${setting.as.expected}.`);
  }
  for (const { property, problem } of brokenRules(settings, all)) {
    // An undefined setting is one that could not be read, which is said already.
    if (settings[property as keyof Settings] === undefined) continue;
    problems.push(problem);
    Object.assign(settings, { [property]: undefined });
  }
  return { settings, problems };
};

const fallbackOf = ({ fallback }: Setting, above: object): string | undefined =>
  typeof fallback === 'function' ? fallback(above as never) : fallback;

const brokenRules = (settings: object, all: readonly Setting[]): readonly { readonly property: string; readonly problem: string }[] =>
  validateSync(settings, { forbidUnknownValues: false }).map(({ property, constraints = {} }) => {
    const name = all.find((setting) => setting.property === property)?.env ?? property;
    const problem = Object.values(constraints)
      .map((rule) => `${rule.replace(property, name)}.`)
      .join(' ');
    return { property, problem };
  });
