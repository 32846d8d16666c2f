import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

interface Named {
  readonly name: string;
  readonly value: string;
}

/** A request of a collection, as Bruno's own parser reads the file. */
export interface BrunoRequest {
  readonly meta: { readonly name: string; readonly seq: string };
  readonly http: {
    readonly method: string;
    readonly url: string;
    readonly body: 'json' | 'formUrlEncoded' | 'none';
    readonly auth: 'inherit' | 'bearer' | 'none';
  };
  readonly headers?: readonly Named[];
  readonly body?: { readonly json?: string; readonly formUrlEncoded?: readonly Named[] };
  readonly vars?: { readonly res?: readonly Named[] };
  readonly assertions?: readonly Named[];
}

const require = createRequire(import.meta.url);
const parser = require('@usebruno/lang') as {
  bruToJsonV2(text: string): BrunoRequest;
  bruToEnvJsonV2(text: string): { readonly variables: readonly (Named & { readonly secret: boolean })[] };
};

/** The requests of a folder in their order. */
export const requestsOf = (folder: string): readonly BrunoRequest[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.bru') && file !== 'folder.bru')
    .map((file) => parser.bruToJsonV2(readFileSync(join(folder, file), 'utf8')))
    .toSorted((a, b) => Number(a.meta.seq) - Number(b.meta.seq));

export const variablesOf = (file: string): readonly (Named & { readonly secret: boolean })[] =>
  parser.bruToEnvJsonV2(readFileSync(file, 'utf8')).variables;

/** A run of requests one after the other, with the variables that they keep. Basic authentication is that of the collection. */
export class BrunoRun {
  readonly #variables: Map<string, string>;

  constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = new Map(Object.entries(variables));
  }

  /** Sends the request, and answers which of its assertions do not hold, with what was answered. */
  async send({ http, headers = [], body, vars, assertions = [] }: BrunoRequest): Promise<readonly string[]> {
    const response = await fetch(this.#filled(http.url), {
      method: http.method.toUpperCase(),
      headers: {
        ...this.#authorization(http.auth),
        ...(http.body === 'json' && { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers.map(({ name, value }) => [name, this.#filled(value)])),
      },
      redirect: 'manual',
      ...(http.body === 'json' && { body: this.#filled(body?.json ?? '') }),
      ...(http.body === 'formUrlEncoded' && {
        body: new URLSearchParams(Object.fromEntries((body?.formUrlEncoded ?? []).map(({ name, value }) => [name, this.#filled(value)]))),
      }),
    });
    const text = await response.text();
    const res = { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    const faults = assertions
      .filter(({ name, value }) => !holds(valueOf(name, res), this.#filled(value)))
      .map(({ name, value }) => `${name} ${value}: ${response.status} ${text}`);
    if (faults.length === 0) for (const { name, value } of vars?.res ?? []) this.#variables.set(name, String(valueOf(value, res)));
    return faults;
  }

  #authorization(kind: BrunoRequest['http']['auth']): Readonly<Record<string, string>> {
    if (kind === 'none') return {};
    if (kind === 'bearer') return { authorization: this.#filled('Bearer {{accessToken}}') };
    return { authorization: `Basic ${Buffer.from(this.#filled('{{clientId}}:{{clientSecret}}')).toString('base64')}` };
  }

  #filled(text: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = this.#variables.get(name);
      if (value === undefined) throw new Error(`no request before has kept ${name}`);
      return value;
    });
  }
}

/** Bruno evaluates the expressions of assertions and variables as JavaScript. Undefined for one that reads what the answer does not have. */
const valueOf = (expression: string, res: object): unknown => runInNewContext(`try { ${expression} } catch {}`, { res });

const holds = (actual: unknown, assertion: string): boolean => {
  const [operator = '', ...rest] = assertion.split(' ');
  const expected = rest.join(' ');
  if (operator === 'isDefined') return actual !== undefined && actual !== null && actual !== '';
  if (operator === 'eq') return String(actual) === expected;
  if (operator === 'contains') return String(actual).includes(expected);
  throw new Error(`the test does not know the operator ${operator}`);
};
