import type { Counter } from 'prom-client';

/** What the types of prom-client leave out. */
interface Inside {
  readonly hashMap: Readonly<Record<string, { value: number }>>;
}

/**
 * Adds one to the counter with these labels, at each call. Make it once for the labels, right before the first call, and keep it: prom-client checks the labels
 * and joins them to a key at each `inc`, also of `labels(…)`.
 */
export const incrementer = <Label extends string>(counter: Counter<Label>, labels: Readonly<Record<Label, string | number>>): (() => void) => {
  const { labelHash } = counter.inc(labels, 0) as unknown as { readonly labelHash: string };
  const counted = (counter as unknown as Inside).hashMap[labelHash] as { value: number };
  return () => {
    counted.value += 1;
  };
};
