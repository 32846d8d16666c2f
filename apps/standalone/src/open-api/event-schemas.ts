import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** A JSON Schema, or a part of the document. */
type Node = Readonly<Record<string, unknown>> & { readonly $ref?: string; readonly const?: string; readonly description?: string };

interface Message {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly headers: Node;
  readonly payload?: Node;
}

/** An event that leaves the service. */
export interface PublishedEvent {
  /** `session.completed`. */
  readonly type: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The schema of its body, whole: it refers to no other file. */
  readonly schema: Node;
}

/** A channel of `docs/asyncapi.yaml` that others read. */
export interface EventChannel {
  /** The folder of its schemas below `docs/schemas`. */
  readonly folder: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly events: readonly PublishedEvent[];
  /** The schema of the headers of all its messages. */
  readonly headers: Node;
}

interface Document {
  readonly channels: Readonly<Record<string, { readonly title: string; readonly description?: string; readonly messages: Node } | undefined>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: Node };
}

/** The channels that others read, by the folders of their schemas, and the headers of their messages. The rest is between our own services. */
const CHANNELS = [
  { key: 'webhooks', folder: 'webhooks', headers: 'webhookHeaders' },
  { key: 'sessionEvents', folder: 'sessions.events.v1', headers: 'cloudEvent' },
] as const;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The events that leave the service, by `docs/asyncapi.yaml`. */
export const eventChannels = (): readonly EventChannel[] => {
  const document = parse(readFileSync(join('docs', 'asyncapi.yaml'), 'utf8')) as Document;
  const { messages, schemas } = document.components;
  return CHANNELS.map(({ key, folder, headers }) => {
    const channel = document.channels[key];
    if (channel === undefined) throw new Error(`docs/asyncapi.yaml has no channel ${key}`);
    return {
      folder,
      title: channel.title,
      description: channel.description,
      headers: { $schema: DIALECT, $id: `urn:countersign:${folder}:headers`, title: 'Headers', ...(whole(document, schemas[headers]) as Node) },
      events: Object.keys(channel.messages).map((name) => {
        const message = messages[name];
        if (message?.payload === undefined) throw new Error(`docs/asyncapi.yaml: the message ${name} has no payload`);
        const { name: type, title, description, payload } = message;
        const about = { $id: `urn:countersign:${folder}:${type}`, title, ...(description !== undefined && { description }) };
        return { type, title, description, schema: { $schema: DIALECT, ...about, ...(whole(document, payload) as Node) } };
      }),
    };
  });
};

/** The node with what it refers to in place of each `$ref`. Members beside the reference count, as they do in JSON Schema 2020-12. */
const whole = (document: Document, node: unknown): unknown => {
  if (Array.isArray(node)) return node.map((each: unknown) => whole(document, each));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as Node;
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, whole(document, value)]));
  return $ref === undefined ? members : { ...(whole(document, find(document, $ref)) as Node), ...members };
};

const find = (document: Document, reference: string): unknown => {
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document);
  if (found === undefined) throw new Error(`docs/asyncapi.yaml: ${reference} leads nowhere`);
  return found;
};
