import { answersOf, type DocumentedPaths, type InlineSchema, nameOf } from './documented-answers.js';
import type { Schema } from './schema.js';

/**
 * The source of a module with the types of all success answers of the document below a prefix, by method and path, and with those of their named schemas. For code that
 * imports nothing of the service.
 *
 * @param errorCodes the codes of its refusals; without them the module has no `ErrorCode`
 */
export const answerTypes = (document: DocumentedPaths, prefix: string, errorCodes?: Schema): string => {
  const answers = answersOf(document).filter(({ name }) => name.includes(` ${prefix}/`));
  const members = answers.map(({ name, summary, documented }) => `${comment(summary)}'${name}': ${typeOf(documented)};`);
  const named = namedIn(
    answers.map(({ documented }) => documented),
    document.components?.schemas ?? {},
  );
  return `// Generated from docs/openapi.json: npm run docs:generate

/** The answers of \`${prefix}\`, by operation. */
export interface Answers {
${members.join('\n')}
}
${[...named, ...(errorCodes ? [['ErrorCode', errorCodes] as const] : [])].map(([name, schema]) => declarationOf(name, schema)).join('')}`;
};

/** The named schemas that these use, by name, each before those that it uses. */
const namedIn = (
  schemas: readonly Schema[],
  all: Readonly<Record<string, Schema>>,
  found = new Map<string, Schema>(),
): ReadonlyMap<string, Schema> => {
  for (const schema of schemas) {
    if ('$ref' in schema) {
      const [name, named] = [nameOf(schema), all[nameOf(schema)]];
      if (!named) throw new Error(`the document has no ${name}`);
      if (!found.has(name)) namedIn([named], all, found.set(name, named));
    } else {
      const { items, properties, additionalProperties } = schema;
      const parts = [items, ...Object.values(properties ?? {}), additionalProperties].filter((part) => typeof part === 'object');
      namedIn(parts, all, found);
    }
  }
  return found;
};

const declarationOf = (name: string, schema: Schema): string =>
  'properties' in schema ? `\nexport interface ${name} ${typeOf(schema)}\n` : `\nexport type ${name} = ${typeOf(schema)};\n`;

const typeOf = (schema: Schema): string => {
  if ('$ref' in schema) return nameOf(schema);
  const { type, enum: values, items, ...object } = schema;
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
  const { format, description = '' } = property as InlineSchema;
  return format === 'byte' ? `Base64. ${description}`.trim() : description;
};

const comment = (text: string): string => (text === '' ? '' : `/** ${text} */\n`);
