import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { answerSchemas } from './answer-schemas.js';
import { answerTypes } from './answer-types.js';
import { inline } from './documented-answers.js';

const DECORATORS = `
declare const route: () => (_: object, __: string) => void;
const [Get, Post] = [route, route];
declare const brand: unique symbol;
type SubjectId = string & { readonly [brand]: 'SubjectId' };
`;

let directory: string;

/** The schemas of a controller with these methods. */
const schemasOf = (methods: string, types = '') => {
  writeFileSync(join(directory, 'a.controller.ts'), `${DECORATORS}${types}\nexport class Shop { ${methods} }\n`);
  return answerSchemas(join(directory, 'tsconfig.json'));
};

const answerOf = (type: string, types?: string) => schemasOf(`@Get() show(): Promise<${type}> { throw new Error(); }`, types).get('Shop_show');

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'answers-'));
  const options = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, experimentalDecorators: true, types: [] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
});

afterAll(() => rmSync(directory, { recursive: true }));

describe('the schema of an answer', () => {
  it('has the fields, the options, the units and the formats of the type that the controller returns', () => {
    const types = `interface Order {
      readonly orderId: string;
      readonly buyer: SubjectId;
      /** Epoch seconds (specification/admin.md#clients). */
      readonly at?: number;
      /**
       * The bill.
       *
       * @format byte
       */
      readonly bill: string;
      readonly state: 'PAID' | 'OPEN';
      readonly paid: true;
      readonly lines: readonly { readonly name: string }[];
      readonly notes: Readonly<Record<string, boolean>>;
    }`;
    expect(answerOf('Order', types)).toEqual({
      type: 'object',
      properties: {
        orderId: { type: 'string', format: 'uuid' },
        buyer: { type: 'string' },
        at: { type: 'integer', description: 'Epoch seconds.' },
        bill: { type: 'string', format: 'byte', description: 'The bill.' },
        state: { type: 'string', enum: ['OPEN', 'PAID'] },
        paid: { type: 'boolean' },
        lines: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
        notes: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
      required: ['orderId', 'buyer', 'bill', 'state', 'paid', 'lines', 'notes'],
    });
  });

  it('requires of several shapes only the fields that each of them requires', () => {
    expect(answerOf('{ a: string } | { a: string; b: number }')).toMatchObject({ properties: { b: { type: 'integer' } }, required: ['a'] });
  });

  it('follows types that are made of others, with their comments', () => {
    const made = answerOf("Omit<Order, 'at'> & { at: string }", 'interface Order { at: number;\n /** Of the buyer. */\n name?: string }');
    expect(made).toMatchObject({ properties: { at: { type: 'string' }, name: { description: 'Of the buyer.' } }, required: ['at'] });
  });

  it('is absent for an operation without a body and for a method without a route', () => {
    expect([...schemasOf('@Get() end(): Promise<void> { throw new Error(); } other(): { a: string } { throw new Error(); }').keys()]).toEqual([]);
  });

  it('is refused for a type that says too little, and for two operations with one id', () => {
    expect(() => answerOf('{ a: unknown }')).toThrow('Shop_show.a: no schema describes unknown');
    expect(() => schemasOf('@Get() a(): string { return ""; } @Post() a(): string { return ""; }')).toThrow('two operations have one operationId');
  });
});

describe('the types of the answers', () => {
  it('say again what the document says, each named schema once', () => {
    const schema = answerOf(
      'Order',
      `interface Order {
      /** Epoch seconds. */
      at?: number;
      /** @format byte */
      bill: string;
      more: object;
    }`,
    );
    const { properties, ...object } = inline(schema!);
    const Order = { ...object, properties: { ...properties, state: { $ref: '#/components/schemas/State', description: 'Of today.' } } };
    const State = { type: 'string', enum: ['OPEN', 'PAID'] };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
    const get = { summary: 'Read', responses: { 200: { content } } };
    const paths = { '/shop/v1/a': { get }, '/shop/v1/b': { get, delete: { responses: { 204: {} } } }, '/other/v1/a': { get } };
    expect(
      answerTypes({ paths, components: { schemas: { Order, State, Other: State } } }, '/shop/v1')
        .split('\n')
        .slice(2),
    ).toEqual([
      '/** The answers of `/shop/v1`, by operation. */',
      'export interface Answers {',
      '/** Read */',
      "'GET /shop/v1/a': Order;",
      '/** Read */',
      "'GET /shop/v1/b': Order;",
      '}',
      '',
      'export interface Order {',
      '/** Epoch seconds. */',
      'readonly at?: number;',
      '/** Base64. */',
      'readonly bill: string;',
      'readonly more: object;',
      '/** Of today. */',
      'readonly state?: State;',
      '}',
      '',
      "export type State = 'OPEN' | 'PAID';",
      '',
    ]);
  });

  it('name the codes of refusals', () => {
    expect(answerTypes({ paths: {} }, '/shop/v1', { type: 'string', enum: ['sold_out'] })).toContain("\nexport type ErrorCode = 'sold_out';\n");
  });

  it('are refused for a schema that the document does not have', () => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
    const paths = { '/shop/v1/a': { get: { responses: { 200: { content } } } } };
    expect(() => answerTypes({ paths }, '/shop/v1')).toThrow('the document has no Order');
  });
});
