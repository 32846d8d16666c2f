import { PART_NAMES } from './part-names.js';
import type { Reference, Schema } from './schema.js';

type Inline = Exclude<Schema, Reference>;

/**
 * The named schemas of the document. Every object with fields and every list of values in them gets a name of its own, so that the types of a generated client have
 * the names that are chosen here: by the note of an operation for its answer, and by `part-names.ts` for each part.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, Schema>();
  /** The name of each list of values. */
  readonly #lists = new Map<string, string>();
  readonly #unused: Set<string>;

  constructor(private readonly partNames = PART_NAMES) {
    this.#unused = new Set(partNames.keys());
  }

  /** Names a schema and its parts. Throws when the name belongs to another schema, and when a part has no name. */
  named(name: string, schema: Schema): Reference {
    const content = this.#withNamedParts(schema, name);
    const text = JSON.stringify(content);
    const known = this.#schemas.get(name);
    if (known && JSON.stringify(known) !== text) throw new Error(`two schemas have the name ${name}: ${JSON.stringify(known)} and ${text}`);
    if ('enum' in content) this.#expectOneName(name, JSON.stringify(content.enum));
    this.#schemas.set(name, content);
    return referenceTo(name);
  }

  /**
   * Names what needs a name in a schema that stands where it is used.
   *
   * @param place the name of the schema and the field: `Client.redirectUris`, `Client.redirectUris[]` for the entries of a list
   */
  part(schema: Schema, place: string): Schema {
    if ('$ref' in schema) return schema;
    if (!schema.enum && !hasFields(schema)) return this.#withNamedParts(schema, place);
    const name = this.partNames.get(place);
    this.#unused.delete(place);
    if (name === undefined) throw new Error(`${place} has no name in apps/standalone/src/open-api/part-names.ts`);
    const { description, ...content } = schema;
    return described(this.named(name, content), description);
  }

  /** By name. Throws when a name is given to a place that no schema has. */
  all(): Record<string, Schema> {
    if (this.#unused.size > 0) throw new Error(`no schema has ${[...this.#unused].join(', ')}: apps/standalone/src/open-api/part-names.ts`);
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #expectOneName(name: string, values: string): void {
    const same = this.#lists.get(values) ?? name;
    if (same !== name) throw new Error(`the values ${values} have two names: ${same} and ${name}`);
    this.#lists.set(values, name);
  }

  #withNamedParts(schema: Schema, place: string): Inline {
    if ('$ref' in schema) throw new Error(`${place} is another schema: ${schema.$ref}`);
    const { properties, items, additionalProperties, enum: values, ...others } = schema;
    const fields = Object.entries(properties ?? {}).map(([name, property]) => [name, this.part(property, `${place}.${name}`)] as const);
    return {
      ...others,
      ...(values && { enum: [...(values as string[])].sort() }),
      ...(properties && { properties: Object.fromEntries(fields) }),
      ...(items && { items: this.part(items, `${place}[]`) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: typeof additionalProperties === 'object' ? this.part(additionalProperties, `${place}{}`) : additionalProperties,
      }),
    };
  }
}

const hasFields = ({ properties }: Inline): boolean => Object.keys(properties ?? {}).length > 0;

/** A reference to a named schema of the document. */
export const referenceTo = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

/** What stands beside a reference is said of the place where it stands (OpenAPI 3.1). */
const described = (reference: Reference, description: string | undefined): Schema =>
  description === undefined ? reference : ({ ...reference, description } as Schema);
