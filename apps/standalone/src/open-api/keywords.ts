import type { Rule } from './request-classes.js';

/** Keywords of JSON Schema (2020-12). */
export type Keywords = Readonly<Record<string, unknown>>;

/** What a rule of class-validator says of a value: as keywords, or in words where no keyword can say it. */
interface Saying {
  readonly keywords: (...constraints: readonly never[]) => Keywords;
  readonly words?: string;
}

const says = (keywords: Saying['keywords']): Saying => ({ keywords });

/** It stands in the document by other means. */
const SAID_ELSEWHERE: Saying = { keywords: () => ({}) };

/** A pattern of JSON Schema has no flags and is read as with `u` (ECMA-262). Throws for another one. */
const pattern = (regularExpression: RegExp): Keywords => {
  if (!['', 'u'].includes(regularExpression.flags)) throw new Error(`a pattern of the document has no flags: ${String(regularExpression)}`);
  return { pattern: new RegExp(regularExpression.source, 'u').source };
};

const SAYINGS: Readonly<Record<string, Saying>> = {
  isString: says(() => ({ type: 'string' })),
  isBoolean: says(() => ({ type: 'boolean' })),
  isInt: says(() => ({ type: 'integer' })),
  isNumber: says(() => ({ type: 'number' })),
  isArray: says(() => ({ type: 'array' })),
  stringList: says(() => ({ type: 'array' })),
  min: says((minimum: number) => ({ minimum })),
  max: says((maximum: number) => ({ maximum })),
  // Both count code points.
  codePoints: says((minLength: number, maxLength: number) => ({ ...(minLength > 0 && { minLength }), maxLength })),
  isNotEmpty: says(() => ({ minLength: 1 })),
  notBlank: says(pattern),
  noControlCharacters: says(pattern),
  matches: says(pattern),
  isUuid: says(() => ({ format: 'uuid' })),
  isIn: says((values: readonly unknown[]) => ({ enum: values })),
  arrayNotEmpty: says(() => ({ minItems: 1 })),
  arrayMaxSize: says((maxItems: number) => ({ maxItems })),
  arrayUnique: says(() => ({ uniqueItems: true })),
  // A pattern is matched against code points; not every library can name a surrogate.
  wellFormedText: { keywords: () => ({}), words: 'Well-formed Unicode: no lone surrogates.' },
  isObject: SAID_ELSEWHERE,
  // `@ApiProperty`.
  documentList: SAID_ELSEWHERE,
};

/** The saying of a rule. Throws for a rule that the table lacks, so that no limit is left out of the document. */
export const sayingOf = (rule: Rule): { readonly keywords: Keywords; readonly words?: string } => {
  if (rule.type !== 'customValidation') return { keywords: {} };
  const saying = SAYINGS[rule.name ?? ''];
  if (!saying) throw new Error(`${rule.propertyName}: the rule ${rule.name} has no keywords in apps/standalone/src/open-api/keywords.ts`);
  const { keywords, words } = saying;
  const constraints: readonly unknown[] = rule.constraints ?? [];
  return { keywords: keywords(...(constraints as readonly never[])), ...(words !== undefined && { words }) };
};
