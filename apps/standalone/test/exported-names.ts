/** A name that a file exports. */
export interface ExportedName {
  readonly name: string;
  readonly file: string;
  /** A class, an interface or a type, not a value. */
  readonly isType: boolean;
}

const EXPORT = /^export (?:declare )?(?:abstract )?(?:async )?(class|interface|type|enum|const|function\*?) (\w+)/gm;

/** The names that a source declares and exports; an export of what another file declares does not count. */
export const exportedNames = (file: string, source: string): readonly ExportedName[] =>
  [...source.matchAll(EXPORT)].map(([, kind = '', name = '']) => ({ name, file, isType: !/^(?:const|function)/.test(kind) }));

/** A line of the glossary whose third column says where its names are. */
export interface GlossaryWord {
  readonly word: string;
  /** Folders. */
  readonly places: readonly string[];
}

/** The words of the glossary that are bound to folders: the third cell of their row holds nothing but these. */
export const boundWords = (glossary: string): readonly GlossaryWord[] =>
  glossary.split('\n').flatMap((row) => {
    const [, word = '', , last = ''] = row.split('|').map((cell) => cell.trim());
    const places = last.split(', ').flatMap((place) => /^`([^`]+)`$/.exec(place)?.[1] ?? []);
    return places.length === 0 ? [] : [{ word, places }];
  });

/** Whether a name in camel case holds the word, as a part of its own or in the plural: `AddDelivery` and `Deliveries` hold `delivery`, `Planet` does not hold `lane`. */
export const holds = (name: string, word: string): boolean => {
  const parts = name.split(/(?=[A-Z])/).map((part) => part.toLowerCase());
  return [word, `${word}s`, word.replace(/y$/, 'ies')].some((form) => parts.includes(form));
};
