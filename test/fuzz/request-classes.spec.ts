import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';

import { applications } from '../../apps/standalone/src/applications.ts';
import { requestClasses, rulesOf } from '../../apps/standalone/src/open-api/request-classes.ts';
import { InvalidRequest } from '../../libs/kernel/src/index.ts';
import { loadPlatformSettings } from '../../libs/service/config/src/index.ts';
import { DtoPipe } from '../../libs/service/http/src/validation.pipe.ts';
import { openPlatform } from '../../libs/service/platform/src/index.ts';

/** The class of each body and query of the service: of all applications, as Nest knows their controllers. */
let classes: readonly (readonly [string, 'body' | 'query', Type<object>])[];

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'request-classes-'));
  const settings = loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', SANDBOX: 'true' });
  const platform = await openPlatform(settings);
  const apps = await Promise.all(applications(settings).map(({ create }) => create(platform)));
  classes = apps.flatMap((app) =>
    [...requestClasses(app)].flatMap(([name, { body, query }]) => [
      ...(body ? [[name, 'body', body] as const] : []),
      ...(query ? [[name, 'query', query] as const] : []),
    ]),
  );
  platform.stop();
  await Promise.all(apps.map((app) => app.close()));
  await platform.close();
  rmSync(directory, { recursive: true });
});
afterAll(() => {
  classes = [];
});

const pipe = new DtoPipe();
/** Whether the class takes the value. Throws for an error that is no refusal. */
const takes = (value: unknown, type: 'body' | 'query', metatype: Type<object>): boolean => {
  try {
    pipe.transform(value, { type, metatype });
    return true;
  } catch (error) {
    if (error instanceof InvalidRequest) return false;
    throw error;
  }
};

const HOSTILE: readonly unknown[] = [
  ...['', ' ', '\0', '\u202e', '\ud800', 'x'.repeat(70_000), '-1', '1e400', '__proto__', '{"$gt":""}', "' OR 1=1 --", '../../etc/passwd'],
  ...[-1, 0, 1e308, NaN, Infinity, -0, 2 ** 53, true, false, null],
  ...[[], [[]], [null], ['x', 'x'], Array(10_000).fill('x'), {}, { length: 1e9 }, { toString: 1 }, { valueOf: null }, { then: 1 }],
  ...[
    JSON.parse('{"__proto__":{"isAdmin":true}}'),
    { constructor: { prototype: { isAdmin: true } } },
    { a: { constructor: 'x' } },
    { a: { b: { c: {} } } },
  ],
];

/** A query holds texts, and lists of them where a parameter comes twice. */
const TEXTS = [...HOSTILE.filter((value) => typeof value === 'string'), ['x', 'x']];

describe('the class of every body and query', () => {
  it('is in the inventory', () => {
    expect(classes.filter(([, type]) => type === 'body').length).toBeGreaterThan(30);
    expect(classes.filter(([, type]) => type === 'query').length).toBeGreaterThan(8);
  });

  it('refuses what is no object, and a field that it does not have', () => {
    for (const [name, type, metatype] of classes.filter(([, kind]) => kind === 'body')) {
      for (const value of ['text', 5, true, null, undefined]) expect([name, value, takes(value, type, metatype)]).toEqual([name, value, false]);
      for (const field of ['isAdmin', 'role_', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '0', '']) {
        const body: unknown = JSON.parse(`{${JSON.stringify(field)}:{"isAdmin":true}}`);
        expect([name, field, takes(body, type, metatype)]).toEqual([name, field, false]);
      }
    }
    expect(({} as { isAdmin?: true }).isAdmin).toBeUndefined();
  });

  it('refuses a known parameter that comes twice', () => {
    for (const [name, type, metatype] of classes.filter(([, kind]) => kind === 'query'))
      for (const { propertyName } of rulesOf(metatype)) expect([name, takes({ [propertyName]: ['1', '1'] }, type, metatype)]).toEqual([name, false]);
  });

  it('takes or refuses each hostile value of each field, and throws nothing else', () => {
    for (const [name, type, metatype] of classes)
      for (const field of new Set(rulesOf(metatype).map(({ propertyName }) => propertyName)))
        for (const value of type === 'body' ? HOSTILE : TEXTS)
          expect([name, field, typeof takes({ [field]: value }, type, metatype)]).toEqual([name, field, 'boolean']);
  });

  it('has no field for a password, a secret question or a one-time password', () => {
    const fields = classes.flatMap(([, , metatype]) => rulesOf(metatype).map(({ propertyName }) => propertyName));
    expect(fields.filter((field) => /passw|passphrase|secret_question|otp|captcha/i.test(field))).toEqual([]);
  });
});
