import { type EventChannel, eventChannels, type PublishedEvent } from './event-schemas.js';

type Node = Readonly<Record<string, unknown>> & { readonly $ref?: string; readonly const?: string; readonly description?: string };

interface Member {
  readonly name: string;
  readonly schema: Node;
  readonly required: boolean;
}

const GENERATED = '<!-- Generated from docs/asyncapi.yaml by `npm run docs:generate`. -->';

const INTRODUCTIONS: Readonly<Record<string, string>> = {
  webhooks:
    'For relying parties. The body is the whole message; it holds no code, no token and nothing personal. [The guide](webhooks.md) has the duties of a receiver, [the specification](specification/webhooks.md) the rules.',
  'sessions.events.v1':
    'For services of the same operator, on the Kafka topic `sessions.events.v1`, which the relay writes. The schema is that of the value; the headers are a CloudEvent 1.0.2 in binary mode. [Stored events](events.md) says which event of the store each one is made of.',
};

/** The page of all events that leave the service, and the files of their schemas, by their paths below `docs`. */
export const eventCatalogue = (): ReadonlyMap<string, string> => {
  const channels = eventChannels();
  return new Map([
    ['event-catalogue.md', pageOf(channels)],
    ...channels.flatMap(({ folder, headers, events }) => [
      [`schemas/${folder}/headers.json`, json(headers)] as const,
      ...events.map(({ type, schema }) => [`schemas/${folder}/${type}.json`, json(schema)] as const),
    ]),
  ]);
};

const json = (schema: Node): string => `${JSON.stringify(schema, null, 2)}\n`;

const pageOf = (channels: readonly EventChannel[]): string => `${GENERATED}

# The events

Every event that leaves the service, with a JSON Schema (2020-12) each, made from [asyncapi.yaml](asyncapi.yaml). A schema file is whole: it refers to no other. New types and new members may appear: ignore a member that you do not know, and
leave a type that you do not know alone.
${channels.map(channelOf).join('')}`;

const channelOf = ({ folder, title, events, headers }: EventChannel): string => `
## ${title}

${INTRODUCTIONS[folder] ?? ''}

| Type | Means | Schema |
|---|---|---|
${events.map(({ type, title: meaning }) => `| [\`${type}\`](#${anchorOf(folder, type)}) | ${meaning} | [${type}.json](schemas/${folder}/${type}.json) |`).join('\n')}
| headers | ${headers.description ?? ''} | [headers.json](schemas/${folder}/headers.json) |
${events.map((event) => eventOf(folder, event)).join('')}`;

/** The same type stands under both channels, and its heading gets the channel's name. */
const headingOf = (folder: string, type: string): string => `${type} (${folder === 'webhooks' ? 'webhook' : 'topic'})`;

const anchorOf = (folder: string, type: string): string =>
  headingOf(folder, type)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const eventOf = (folder: string, { type, title, description, schema }: PublishedEvent): string => `
### ${headingOf(folder, type)}

${title}.${description === undefined ? '' : ` ${description}`}

| Member | Value | |
|---|---|---|
${membersOf(schema)
  .map(
    ({ name, schema: member, required }) => `| \`${name}\` | ${valueOf(member)}${required ? '' : '; may be absent'} | ${member.description ?? ''} |`,
  )
  .join('\n')}
`;

/** The members of an object with those inside them, as `data.sessionId`. A later part of `allOf` says more about a member of an earlier one. */
const membersOf = (schema: Node, prefix = ''): readonly Member[] => {
  const parts = [schema, ...((schema['allOf'] as readonly Node[] | undefined) ?? [])];
  const required = new Set(parts.flatMap((part) => (part['required'] as readonly string[] | undefined) ?? []));
  const members = new Map<string, Node>();
  for (const part of parts)
    for (const [name, member] of Object.entries((part['properties'] as Readonly<Record<string, Node>> | undefined) ?? {}))
      members.set(name, merged(members.get(name), member));
  return [...members].flatMap(([name, member]) =>
    member['properties'] === undefined
      ? [{ name: `${prefix}${name}`, schema: member, required: required.has(name) }]
      : membersOf(member, `${prefix}${name}.`),
  );
};

const merged = (before: Node | undefined, later: Node): Node => {
  if (before === undefined) return later;
  const properties = Object.entries((later['properties'] as Readonly<Record<string, Node>> | undefined) ?? {}).reduce<Node>(
    (known, [name, member]) => ({ ...known, [name]: merged(known[name] as Node | undefined, member) }),
    (before['properties'] as Node | undefined) ?? {},
  );
  return { ...before, ...later, ...(Object.keys(properties).length > 0 && { properties }) };
};

const valueOf = ({ const: only, enum: values, type, format, examples }: Node): string => {
  if (only !== undefined) return `\`${only}\``;
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ');
  const shown = Array.isArray(examples) ? `, such as ${examples.map((value) => `\`${String(value)}\``).join(', ')}` : '';
  return `${String(format ?? type)}${shown}`;
};
