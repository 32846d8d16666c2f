import type { Value } from './records-protocol.js';

/** Of the schema, as EventRecord.cs names them. */
const FORMATS = ['Unspecified', 'Json', 'Protobuf', 'Avro', 'Bytes'];

/**
 * The properties of a record as the metadata that a read of protocol 1 shows: JSON of the server's own writer, in the order in which they came, with the two of the schema behind
 * them. No byte of the text is the caller's.
 */
export const metadataOf = (properties: Readonly<Record<string, Value>>, schemaName: string, schemaFormat: number): Buffer =>
  Buffer.from(
    written({
      ...properties,
      '$schema.name': { stringValue: schemaName },
      '$schema.format': { stringValue: FORMATS[schemaFormat] ?? '' },
    }),
  );

/** As Google.Protobuf.JsonFormatter writes it: blanks after braces, colons and commas, and `<` and `>` as escapes. */
const written = (fields: Readonly<Record<string, Value>>): string => {
  const members = Object.entries(fields).map(([name, value]) => `${textOf(name)}: ${valueOf(value)}`);
  return members.length === 0 ? '{ }' : `{ ${members.join(', ')} }`;
};

const valueOf = ({ numberValue, stringValue, boolValue, structValue, listValue }: Value): string => {
  if (numberValue !== undefined) return String(numberValue);
  if (stringValue !== undefined) return textOf(stringValue);
  if (boolValue !== undefined) return String(boolValue);
  if (structValue !== undefined) return written(structValue.fields ?? {});
  if (listValue !== undefined) return `[ ${(listValue.values ?? []).map(valueOf).join(', ')} ]`;
  return 'null';
};

const textOf = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
