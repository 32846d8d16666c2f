import { readFile } from 'node:fs/promises';

import specs from '@asyncapi/specs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

interface Message {
  readonly name: string;
}

interface DocumentedChannel {
  readonly address: string;
  readonly messages: Readonly<Record<string, unknown>>;
  readonly bindings: { readonly kafka: { readonly partitions: number } };
}

interface Document {
  readonly channels: { readonly sessionEvents: DocumentedChannel; readonly webhookDeliveries: DocumentedChannel };
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

const PATH = new URL('../../../docs/asyncapi.yaml', import.meta.url);

/** `docs/asyncapi.yaml` and validators of the messages that it describes. */
export const asyncApi = async () => {
  const document = parse(await readFile(PATH, 'utf8')) as Document;
  // The document has patterns beside its formats.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'asyncapi');
  const pathOf = (type: string): string => {
    const [key] = Object.entries(document.components.messages).find(([, { name }]) => name === type) ?? [];
    if (!key) throw new Error(`docs/asyncapi.yaml has no message ${type}`);
    return `asyncapi#/components/messages/${key}`;
  };
  const typesOn = ({ messages }: DocumentedChannel): readonly string[] => Object.keys(messages).map((key) => document.components.messages[key]!.name);
  return {
    document,
    /** The types of the messages on the topic of session events. */
    types: typesOn(document.channels.sessionEvents),
    /** Those on the topic of deliveries. */
    requestTypes: typesOn(document.channels.webhookDeliveries),
    headerNames: [...Object.keys(document.components.schemas['cloudEvent']?.properties ?? {}), 'ce_type'],
    memberNames: [...Object.keys(document.components.schemas['sessionFacts']?.properties ?? {}), 'expiresAt', 'push', 'reason'],
    headers: (type: string): ValidateFunction => ajv.compile({ $ref: `${pathOf(type)}/headers` }),
    payload: (type: string): ValidateFunction => ajv.compile({ $ref: `${pathOf(type)}/payload` }),
    /** The errors of the document against AsyncAPI's own schema. */
    validate: () => {
      // AsyncAPI's schema includes the draft-07 schema.
      const schema = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false }).compile(specs.schemas['3.0.0'] as object);
      schema(document);
      return schema.errors ?? [];
    },
  };
};

/** The errors of the value against the schema, and its members that the schema does not name. */
export const deviations = (validate: ValidateFunction, value: object, known: readonly string[]): readonly string[] => [
  ...(validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)),
  ...Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not documented`),
];
