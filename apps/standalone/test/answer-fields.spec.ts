import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { fieldRows } from '../src/open-api/answers-page.js';
import { answersOf, type DocumentedPaths, inline, spelledOut } from '../src/open-api/documented-answers.js';
import type { Schema } from '../src/open-api/schema.js';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = 'docs/specification';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const reference = JSON.parse(read('docs/openapi.json')) as DocumentedPaths & {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const answers = answersOf(reference);
const pages = readdirSync(join(ROOT, PAGES)).filter((name) => name.endsWith('.md') && name !== 'answers.md');

/** The names of the first column of a table, optional ones with `?`. */
const namesIn = (table: string): readonly string[] =>
  table
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

describe('the page of the answers', () => {
  const sections = read(`${PAGES}/answers.md`).split(/^## /m).slice(1);
  const tables = new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]));

  it('has a section for each answer of the reference, and no other', () => {
    expect([...tables.keys()]).toEqual(answers.map(({ name }) => name));
  });

  it.each(answers.map(({ name, schema }) => [name, schema] as const))('has the fields of the answer to %s', (name, schema) => {
    const [, same = name] = /^As `(.+)`\.$/m.exec(tables.get(name) ?? '') ?? [];
    expect(namesIn(tables.get(same) ?? '')).toEqual(fieldRows(schema).map((row) => row.name));
  });
});

describe('a table of fields in the specification', () => {
  /** Of an operation, of a field of its answer, or of a named schema. */
  const schemaOf = (of: string): Schema => {
    const [, operation = of, field] = /^(\S+ \S+)(?: (\S+))?$/.exec(of) ?? [];
    const found: Schema | undefined = answers.find(({ name }) => name === operation)?.schema ?? reference.components.schemas[operation];
    const schema = field === undefined ? found : found && inline(found).properties?.[field];
    if (!schema) throw new Error(`the reference has no ${of}`);
    return schema;
  };
  const marked = pages.flatMap((page) =>
    [...read(`${PAGES}/${page}`).matchAll(/<!-- fields of (.+) -->\n((?:\|.*\n)+)/g)].map(
      ([, of = '', table = '']) => [`${page}: ${of}`, of, table] as const,
    ),
  );

  it('is marked, five of them', () => {
    expect(marked.map(([, of]) => of)).toHaveLength(5);
  });

  it.each(marked)('has the fields of the answer, in any order: %s', (_, of, table) => {
    const { properties = {}, required = [] } = inline(spelledOut(schemaOf(of), reference.components.schemas));
    const fields = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
    expect(namesIn(table.split('\n').slice(2).join('\n')).toSorted()).toEqual(fields.toSorted());
  });
});

describe('the section of an operation', () => {
  const sections = pages.flatMap((page) => read(`${PAGES}/${page}`).split(/^#+ /m));
  /** Their sections say whose answer they have. */
  const SAME = ['POST /relying-party/v1/create-signing-request', 'POST /login-ui/v1/session/claim'];
  const described = answers.filter(({ name }) => !/ \/(admin|sandbox)\//.test(name) && !SAME.includes(name));

  it.each(described.map(({ name, schema }) => [name, schema] as const))('names each field of its answer: %s', (name, { properties = {} }) => {
    const [method = '', path = ''] = name.split(' ');
    const own = sections.filter((section) => section.includes(`\`${name}`) || section.includes(`${method} \`${path}\``)).join('\n');
    expect(Object.keys(properties).filter((field) => !own.includes(`\`${field}`) && !own.includes(`"${field}"`))).toEqual([]);
  });
});
