import { answersOf, type DocumentedPaths, inline, type InlineSchema } from './documented-answers.js';
import type { Schema } from './schema.js';

/** The source of a module with the types of all success answers of the document below a prefix, by method and path. For code that imports nothing of the service. */
export const answerTypes = (document: DocumentedPaths, prefix: string): string => {
  const known = new Map<string, string>();
  const answers = answersOf(document).filter(({ name }) => name.includes(` ${prefix}/`));
  const members = answers.map(({ name, summary, schema }) => {
    const type = typeOf(schema);
    const same = known.get(type);
    known.set(type, same ?? `Answers['${name}']`);
    return `${comment(summary)}'${name}': ${same ?? type};`;
  });
  return `// Generated from docs/openapi.json: npm run docs:generate

/** The answers of \`${prefix}\`, by operation. */
export interface Answers {
${members.join('\n')}
}
`;
};

const typeOf = (schema: Schema): string => {
  const { type, enum: values, items, ...object } = inline(schema);
  if (values) return values.map((value) => `'${String(value)}'`).join(' | ');
  if (items) return `readonly (${typeOf(items)})[]`;
  if (type === 'object') return objectType(object);
  return type === 'integer' ? 'number' : String(type);
};

const objectType = ({ properties = {}, required = [], additionalProperties }: InlineSchema): string => {
  if (typeof additionalProperties === 'object') return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`;
  if (Object.keys(properties).length === 0) return 'object';
  const fields = Object.entries(properties).map(
    ([name, property]) => `${comment(descriptionOf(property))}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(property)};`,
  );
  return `{\n${fields.join('\n')}\n}`;
};

/** A text in base64 says so. */
const descriptionOf = (property: Schema): string => {
  const { format, description = '' } = inline(property);
  return format === 'byte' ? `Base64. ${description}`.trim() : description;
};

const comment = (text: string): string => (text === '' ? '' : `/** ${text} */\n`);
