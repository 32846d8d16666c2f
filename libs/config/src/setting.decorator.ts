import type { Format } from './formats.js';

export interface SettingDescription {
  /** The name of the environment variable. */
  readonly env: string;
  readonly as: Format;
  readonly meaning: string;
  /** Text that stands in for an absent variable, or how to make one from the settings above it. None: stays undefined. */
  readonly fallback?: string | ((above: never) => string);
  /** How the documentation words a fallback that is made. */
  readonly fallbackText?: string;
}

export interface Setting extends SettingDescription {
  readonly property: string;
}

const described = new WeakMap<object, Setting[]>();

/** Binds a property to an environment variable. Rules on its value are class-validator's, on the same property. */
export const Setting =
  (description: SettingDescription): PropertyDecorator =>
  (prototype, property) => {
    const own = described.get(prototype) ?? [];
    own.push({ ...description, property: String(property) });
    described.set(prototype, own);
  };

/** The settings of a class, in the order they are written in, inherited ones first. */
export const settingsOf = (type: abstract new () => object): readonly Setting[] => {
  const own = described.get(type.prototype as object) ?? [];
  const parent = Object.getPrototypeOf(type) as abstract new () => object;
  return parent.prototype ? [...settingsOf(parent), ...own] : own;
};
