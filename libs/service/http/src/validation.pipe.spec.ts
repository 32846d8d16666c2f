import { describe, expect, it } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';

import { DtoPipe } from './validation.pipe.js';
import { Optional } from './validators.js';

class Plain {
  @IsString()
  readonly name!: string;

  @Optional()
  @IsString()
  readonly title: string = 'none';
}

class Trimmed {
  @Transform(({ value }) => String(value).trim())
  @IsString()
  readonly name!: string;
}

class Holder {
  @ValidateNested()
  @Type(() => Plain)
  readonly plain!: Plain;

  @Optional()
  @IsString()
  readonly name?: string;
}

describe('a body that is checked by the rules in the storage of class-validator 0.15.1', () => {
  const pipe = new DtoPipe();
  const transform = (value: unknown, metatype: new () => object) => pipe.transform(value, { type: 'body', metatype });

  it('becomes an instance of its class, with what the class sets by itself', () => {
    const body = { name: 'a' };
    const checked = transform(body, Plain);
    expect(checked).toBeInstanceOf(Plain);
    expect(checked).toEqual({ name: 'a', title: 'none' });
    expect(body).toEqual({ name: 'a' });
  });

  it('is transformed where its class says so, though all its values are plain', () => {
    expect(transform({ name: ' a ' }, Trimmed)).toEqual({ name: 'a' });
  });

  it('holds instances where its class says so', () => {
    expect(transform({ plain: { name: 'a' } }, Holder)).toEqual({ plain: { name: 'a', title: 'none' } });
    expect((transform({ plain: { name: 'a' } }, Holder) as Holder).plain).toBeInstanceOf(Plain);
    expect(() => transform({ plain: { name: 1 } }, Holder)).toThrow(expect.objectContaining({ detail: expect.stringContaining('name') }));
  });

  it.each([
    ['__proto__', '{"__proto__": "a", "name": "a"}'],
    ['constructor', '{"constructor": "a", "name": "a"}'],
  ])('refuses the field `%s`', (field, json) => {
    expect(() => transform(JSON.parse(json), Plain)).toThrow(expect.objectContaining({ detail: `\`${field}\` is not a field of this request.` }));
  });
});
