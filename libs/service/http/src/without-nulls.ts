/** The value without its null fields, which the interface leaves out (specification/conventions.md#nulls-and-lengths). The same object if it has none. */
export const withoutNulls = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapped(value);
  if (!Object.values(value).some((child) => child === null || typeof child === 'object')) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).flatMap(([name, child]) => (child === null ? [] : [[name, withoutNulls(child)]])),
  );
};

const mapped = (values: readonly unknown[]): unknown[] => values.map(withoutNulls);
