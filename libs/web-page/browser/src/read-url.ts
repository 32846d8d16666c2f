/** The absolute address in a text; undefined for any other text. As `URL.parse`, which browsers that the pages are built for lack. */
export const readUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};
