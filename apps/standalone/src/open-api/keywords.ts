import type { ValidationRule } from './request-classes.js';

/** Keywords of JSON Schema (2020-12). */
export type Keywords = Readonly<Record<string, unknown>>;

/** What a rule of class-validator says of a value: as keywords, or in words where no keyword can say it. */
interface RuleDescription {
  readonly keywords: (...constraints: readonly never[]) => Keywords;
  readonly words?: string;
}

const byKeywords = (keywords: RuleDescription['keywords']): RuleDescription => ({ keywords });

/** It stands in the document by other means. */
const DESCRIBED_ELSEWHERE: RuleDescription = { keywords: () => ({}) };

/** A pattern of JSON Schema has no flags and is read as with `u` (ECMA-262). Throws for another one. */
const pattern = (regularExpression: RegExp): Keywords => {
  if (!['', 'u'].includes(regularExpression.flags)) throw new Error(`a pattern of the document has no flags: ${String(regularExpression)}`);
  return { pattern: new RegExp(regularExpression.source, 'u').source };
};

const DESCRIPTIONS: Readonly<Record<string, RuleDescription>> = {
  isString: byKeywords(() => ({ type: 'string' })),
  isBoolean: byKeywords(() => ({ type: 'boolean' })),
  isInt: byKeywords(() => ({ type: 'integer' })),
  isNumber: byKeywords(() => ({ type: 'number' })),
  isArray: byKeywords(() => ({ type: 'array' })),
  stringList: byKeywords(() => ({ type: 'array' })),
  min: byKeywords((minimum: number) => ({ minimum })),
  max: byKeywords((maximum: number) => ({ maximum })),
  // Both count code points.
  codePoints: byKeywords((minLength: number, maxLength: number) => ({ ...(minLength > 0 && { minLength }), maxLength })),
  isNotEmpty: byKeywords(() => ({ minLength: 1 })),
  notBlank: byKeywords(pattern),
  noControlCharacters: byKeywords(pattern),
  matches: byKeywords(pattern),
  isUuid: byKeywords(() => ({ format: 'uuid' })),
  isIn: byKeywords((values: readonly unknown[]) => ({ enum: values })),
  arrayNotEmpty: byKeywords(() => ({ minItems: 1 })),
  arrayMaxSize: byKeywords((maxItems: number) => ({ maxItems })),
  arrayUnique: byKeywords(() => ({ uniqueItems: true })),
  // A pattern is matched against code points; not every library can name a surrogate.
  wellFormedText: { keywords: () => ({}), words: 'Well-formed Unicode: no lone surrogates.' },
  isObject: DESCRIBED_ELSEWHERE,
  // `@ApiProperty`.
  documentList: DESCRIBED_ELSEWHERE,
};

/** The keywords or the words of a rule. Throws for a rule that the table lacks, so that no limit is left out of the document. */
export const describeRule = (rule: ValidationRule): { readonly keywords: Keywords; readonly words?: string } => {
  if (rule.type !== 'customValidation') return { keywords: {} };
  const description = DESCRIPTIONS[rule.name ?? ''];
  if (!description) throw new Error(`${rule.propertyName}: the rule ${rule.name} has no keywords in apps/standalone/src/open-api/keywords.ts`);
  const { keywords, words } = description;
  const constraints: readonly unknown[] = rule.constraints ?? [];
  return { keywords: keywords(...(constraints as readonly never[])), ...(words !== undefined && { words }) };
};
