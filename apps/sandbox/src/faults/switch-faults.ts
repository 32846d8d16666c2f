import { InvalidRequest, type Json, type JsonObject } from '#kernel';

/** One thing that can be made to fail. */
export interface Fault {
  /** Completes "must be …". */
  readonly expected: string;
  readonly accepts: (value: Json | undefined) => boolean;
  /** Takes effect before it returns. */
  readonly set: (value: Json | undefined) => void;
}

/** By the name of the field in POST `/sandbox/v1/faults`. */
export type Faults = Readonly<Record<string, Fault>>;

export class SwitchFaults {
  constructor(private readonly faults: Faults) {}

  /** All of them or none. Throws {@link InvalidRequest} naming the field. */
  execute(wanted: JsonObject | undefined): JsonObject {
    const entries = Object.entries(wanted ?? {});
    if (entries.length === 0) throw new InvalidRequest(`Name a fault; ${this.#offer()}`);
    const switches = entries.map(([name, value]) => {
      const fault = Object.hasOwn(this.faults, name) ? this.faults[name] : undefined;
      if (!fault) throw new InvalidRequest(`\`${shown(name)}\` is not a fault; ${this.#offer()}`, 'unknown fault');
      if (!fault.accepts(value)) throw new InvalidRequest(`\`${name}\` must be ${fault.expected}`);
      return () => fault.set(value);
    });
    for (const set of switches) set();
    return Object.fromEntries(entries);
  }

  #offer(): string {
    const names = Object.keys(this.faults);
    return names.length === 0 ? 'none is offered yet' : `these are offered: ${names.join(', ')}`;
  }
}

/** A name that a caller made up, fit for a message. */
const shown = (name: string): string => name.slice(0, 64).replaceAll(/[^\x20-\x7e]|`/g, '?');
