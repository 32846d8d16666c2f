/** Strings of a JSON text; those followed by a colon are the keys. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * A key that appears twice in one object of a JSON text that was parsed already, or undefined (RFC 8259
 * section 4 leaves its meaning open, and two readers must not understand one request differently).
 */
export const duplicateKey = (text: string, parsed: object): string | undefined => {
  // What most callers send. A key that appears twice would be in the text once more than in what was made from it.
  if (JSON.stringify(parsed) === text) return undefined;
  const keys: string[] = [];
  for (const [token, colon] of text.matchAll(STRINGS)) {
    if (colon !== undefined) keys.push(JSON.parse(token.slice(0, -colon.length)) as string);
  }
  if (keys.length === countKeys(parsed)) return undefined;
  const seen = new Set<string>();
  return keys.find((key) => seen.size === seen.add(key).size);
};

const countKeys = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value).reduce<number>((count, child) => count + countKeys(child), 0);
  return Array.isArray(value) ? children : children + Object.keys(value).length;
};
