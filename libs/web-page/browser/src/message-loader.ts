import type { Language } from '../../first-frame/src/language.js';

/** A file for each language of a page, which exports the texts under the name of their language. The page loads only the file of its language. */
type MessageFiles<Messages> = { readonly [L in Language]: () => Promise<Readonly<Record<L, Messages>>> };

/** Answers a function that loads the texts of one language; it rejects when the file does not arrive. */
export const messageLoader =
  <Messages>(files: MessageFiles<Messages>) =>
  async <L extends Language>(language: L): Promise<Messages> => {
    const texts = await files[language]();
    return texts[language];
  };
