import type { Format } from './formats.js';

export interface SettingDescription {
  /** The name of the environment variable. */
  readonly env: string;
  readonly as: Format;
  readonly meaning: string;
  /** The text for an absent variable, or a function of the settings above it. Without it the setting stays undefined. */
  readonly fallback?: string | ((above: never) => string | undefined);
  /** The documentation's text for a fallback that is a function. */
  readonly fallbackText?: string;
}

export interface Setting extends SettingDescription {
  readonly property: string;
}

const described = new WeakMap<object, Setting[]>();

/** Binds a property to an environment variable. Decorators of class-validator on the same property check its value. */
export const Setting =
  (description: SettingDescription): PropertyDecorator =>
  (prototype, property) => {
    const own = described.get(prototype) ?? [];
    own.push({ ...description, property: String(property) });
    described.set(prototype, own);
  };

/** The settings of a class in the order of their declaration, inherited ones first. */
export const settingsOf = (type: abstract new () => object): readonly Setting[] => {
  const own = described.get(type.prototype as object) ?? [];
  const parent = Object.getPrototypeOf(type) as abstract new () => object;
  return parent.prototype ? [...settingsOf(parent), ...own] : own;
};
