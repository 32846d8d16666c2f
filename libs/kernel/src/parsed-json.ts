/** The value of a JSON text; undefined for any other text. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The members of a JSON object; undefined for any other text. */
export const parsedObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
};
