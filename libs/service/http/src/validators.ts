import { applyDecorators } from '@nestjs/common';
import { codePoints, PLAIN_TEXT } from '#kernel';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';

/** The field may be left out. In a body, {@link DtoPipe} leaves out the fields that are null. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** From `min` to `max` Unicode code points: not UTF-16 units, not bytes (specification/conventions.md#nulls-and-lengths). */
export const CodePoints = (min: number, max: number): PropertyDecorator =>
  ValidateBy({
    name: 'codePoints',
    constraints: [min, max],
    validator: {
      validate: (value: unknown) => {
        if (typeof value !== 'string' || value.length > 2 * max) return false;
        const count = codePoints(value);
        return count >= min && count <= max;
      },
      defaultMessage: named(min === 0 ? `must be at most ${max} characters long` : `must be ${min} to ${max} characters long`),
    },
  });

export const MaxCodePoints = (max: number): PropertyDecorator => CodePoints(0, max);

const NOT_BLANK = /\S/;

/** At least one character that is not white space. */
export const NotBlank = (): PropertyDecorator =>
  ValidateBy({
    name: 'notBlank',
    constraints: [NOT_BLANK],
    validator: {
      validate: (value: unknown) => typeof value === 'string' && NOT_BLANK.test(value),
      defaultMessage: named('must not be blank'),
    },
  });

/** No lone surrogates: they cannot be encoded in UTF-8. */
export const WellFormedText = (): PropertyDecorator =>
  ValidateBy({
    name: 'wellFormedText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.isWellFormed(),
      defaultMessage: named('must be well-formed Unicode, without lone surrogates'),
    },
  });

/** No control characters, separators of lines, or characters that override the direction of text (specification/conventions.md#text-that-can-deceive). */
export const NoControlCharacters = (): PropertyDecorator =>
  ValidateBy({
    name: 'noControlCharacters',
    constraints: [PLAIN_TEXT],
    validator: {
      validate: (value: unknown) => typeof value === 'string' && PLAIN_TEXT.test(value),
      defaultMessage: named('must not contain control or bidirectional-override characters'),
    },
  });

const named =
  (rule: string) =>
  ({ property }: ValidationArguments): string =>
    `${property} ${rule}`;

/** For `@Transform`: numbers in a query arrive as text. */
export const digitsToNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

/** A whole number in a query. It may be left out. */
export const QueryNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER): PropertyDecorator =>
  // In the order of decorators above a field, which takes the last one first.
  applyDecorators(Max(max), Min(min), IsInt(), Transform(digitsToNumber), Optional());
