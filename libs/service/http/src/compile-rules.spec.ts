import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  getMetadataStorage,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';

import { compileRules } from './compile-rules.js';
import { DtoPipe } from './validation.pipe.js';
import { MaxCodePoints, NoControlCharacters, NotBlank, Optional, WellFormedText } from './validators.js';

class Text {
  @Optional()
  @IsString()
  @NotBlank()
  @MaxCodePoints(5)
  @WellFormedText()
  @NoControlCharacters()
  text?: unknown;

  @IsIn(['a', 1])
  listed: unknown = 'a';
}

class Values extends Text {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(9)
  count?: unknown;

  @Optional()
  @IsBoolean()
  flag?: unknown;

  @Optional()
  @IsUUID()
  id?: unknown;

  @Matches(/^a+$/, { message: 'must be a few a' })
  pattern: unknown = 'aa';

  /** In place of the rule of the class above. */
  @IsIn(['a', 'b'])
  override listed: unknown = 'a';
}

class Lists {
  @IsArray()
  @IsIn(['a'], { each: true })
  list: unknown = ['a'];
}

class Nested {
  @ValidateNested()
  @Type(() => Text)
  text: unknown = new Text();
}

const VALUES: readonly unknown[] = [
  ...[undefined, null, '', ' ', 'a', 'aa', 'b', 'x'.repeat(6), '\ud800', 'a\n', '😀😀😀😀😀', '3f0b5c6e-8a52-4d5c-9f0e-0a4a3f8b7c11'],
  ...[0, 1, 1.5, -1, 10, NaN, Infinity, true, false, [], ['a'], {}, { text: 7 }, new Text(), Object.create(null), new Date(0), () => true],
];

const refuses = (object: object): boolean => validateSync(object, { forbidUnknownValues: false }).length > 0;

describe('rules compiled from the storage of class-validator 0.15.1', () => {
  it.each([
    ['text', Text],
    ['listed', Text],
    ['listed', Values],
    ['text', Values],
    ['count', Values],
    ['flag', Values],
    ['id', Values],
    ['pattern', Values],
  ])('judge each value of `%s` as class-validator does', (property, dto) => {
    const isValid = compileRules(dto);
    for (const value of VALUES) {
      const object = Object.assign(new dto(), { [property]: value });
      expect([value, isValid(object)]).toEqual([value, !refuses(object)]);
    }
  });

  it.each([
    ['list', Lists],
    ['text', Nested],
  ])('leave `%s`, which holds values of its own, to class-validator', (property, dto) => {
    const isValid = compileRules(dto);
    for (const value of VALUES) expect(isValid(Object.assign(new dto(), { [property]: value }))).toBe(false);
  });

  it('are collected once, and again only to explain a refusal', () => {
    const storage = getMetadataStorage();
    const collect = storage.getTargetValidationMetadatas.bind(storage);
    let collected = 0;
    storage.getTargetValidationMetadatas = (...given) => ((collected += 1), collect(...given));
    const pipe = new DtoPipe();
    const check = (body: object) => pipe.transform(body, { type: 'body', metatype: Values });
    const body = { listed: 'b', pattern: 'a', count: 3 };
    check(body);
    collected = 0;
    for (let time = 0; time < 100; time++) expect(check(body)).toEqual(body);
    expect(collected).toBe(0);
    expect(() => check({ ...body, count: 10 })).toThrow('`count` must not be greater than 9.');
    expect(collected).toBe(1);
  });
});
