import type { ValidationError } from 'class-validator';

/**
 * The rules of class-validator in the words of the interface. An empty text stands for the rule's own message, which unlisted rules use too.
 * The first broken rule of this list is reported: when a number is given for a string, its type is the fault, not its length.
 */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['isString', 'must be a string'],
  ['isBoolean', 'must be true or false'],
  ['isInt', 'must be a whole number'],
  ['isNumber', 'must be a number'],
  ['isArray', 'must be an array'],
  ['isObject', 'must be an object'],
  ['isNotEmpty', 'must not be empty'],
  ['arrayNotEmpty', 'must not be empty'],
  ['arrayUnique', 'must not hold the same value twice'],
  ['wellFormedText', ''],
  ['notBlank', ''],
  ['codePoints', ''],
  ['isUuid', 'must be a UUID'],
  ['isBase64', 'must be base64'],
  ['isIn', ''],
  ['isEnum', ''],
]);

/** One sentence about the first fault. It names the field and the remedy. */
export const validationText = (errors: readonly ValidationError[], at = ''): string => {
  const error = errors[0];
  if (!error) return 'The request is not valid.';
  const field = at + error.property;
  if (error.children?.length) return validationText(error.children, `${field}.`);
  if (error.value === undefined) return `\`${field}\` is required.`;
  const broken = error.constraints ?? {};
  const rule = [...TEXTS.keys()].find((name) => name in broken) ?? Object.keys(broken)[0] ?? '';
  return `\`${field}\` ${TEXTS.get(rule) || ownWords(broken[rule] ?? '', error.property)}.`;
};

/** The rule's own message without the name of the field at its start. */
const ownWords = (message: string, property: string): string => {
  const rule = message.replace('one of the following values: ', 'one of ');
  return rule.startsWith(`${property} `) ? rule.slice(property.length + 1) : rule || 'is not valid';
};
