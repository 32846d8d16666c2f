import type { OpenAPIObject } from '@nestjs/swagger';

export type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const TYPES = {
  string: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  seconds: { type: 'integer', description: 'Epoch seconds.' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'date-time' },
  uri: { type: 'string', format: 'uri' },
  base64: { type: 'string', format: 'byte' },
  strings: { type: 'array', items: { type: 'string' } },
} as const;

/** The type of a field; `…: text` describes it. A list of one shape is an array of that shape, a list of several words is an enumeration. */
export type FieldType = keyof typeof TYPES | `${keyof typeof TYPES}: ${string}` | readonly [Fields] | readonly [string, string, ...string[]] | Fields;

/** The fields of an answer. A name that ends in `?` may be absent. */
export interface Fields {
  readonly [name: string]: FieldType;
}

/** The JSON schema of an answer with these fields. */
export const objectSchema = (fields: Fields): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name.replace('?', ''), fieldSchema(type)])),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
});

const fieldSchema = (type: FieldType): Schema => {
  if (typeof type === 'string') {
    const [name = '', ...description] = type.split(': ');
    return { ...TYPES[name as keyof typeof TYPES], ...(description.length > 0 && { description: description.join(': ') }) };
  }
  if (!isList(type)) return objectSchema(type);
  const [first] = type;
  return typeof first === 'string' ? { type: 'string', enum: type.map(String) } : { type: 'array', items: objectSchema(first) };
};

const isList = (type: object): type is readonly [Fields] | readonly [string, string, ...string[]] => Array.isArray(type);
