import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';

import { InvalidRequest } from '#kernel';

import { compileRules, type Dto } from './compile-rules.js';
import { validationText } from './validation-text.js';

/** The fields and the rules of a class, computed once. */
interface Shape {
  readonly fields: ReadonlySet<string>;
  /** Also false where class-validator has to decide. */
  readonly isValid: (instance: object) => boolean;
  /** Whether class-transformer changes a value on its way into the class. */
  readonly isTransformed: boolean;
}

/**
 * Checks bodies and queries against their class. A body may hold only fields of the class; one that is null counts as absent
 * (specification/conventions.md#nulls-and-lengths). Unknown parameters of a query are dropped. The refusal names the first wrong field.
 */
export class DtoPipe implements PipeTransform {
  readonly #shapes = new WeakMap<Dto, Shape>();

  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    const dto = metatype as Dto;
    const { fields, isValid, isTransformed } = this.#shapeOf(dto);
    if (fields.size === 0) return value;
    const given = type === 'body' ? checkedBody(value, fields) : knownParameters(value, fields);
    const instance = isTransformed || !isFlat(given) ? plainToInstance(dto, given, { exposeUnsetFields: false }) : Object.assign(new dto(), given);
    if (isValid(instance)) return instance;
    const errors = validateSync(instance, { forbidUnknownValues: false, validationError: { target: false } });
    if (errors.length > 0) throw new InvalidRequest(validationText(errors));
    return instance;
  }

  #shapeOf(dto: Dto): Shape {
    const known = this.#shapes.get(dto);
    if (known) return known;
    const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    const fields = new Set(metadata.map(({ propertyName }) => propertyName));
    const shape = { fields, isValid: compileRules(dto), isTransformed: [...fields].some((field) => isChanged(dto, field)) };
    this.#shapes.set(dto, shape);
    return shape;
  }
}

/** Values that a transformation, such as one to numbers or one that trims, does not leave as they are. */
const PROBES = [' 0Aa ', '0', 0.5, true];

/** Whether class-transformer changes a flat value of the field. It tells no one which transformations it knows, so it is tried. */
const isChanged = (dto: Dto, field: string): boolean =>
  PROBES.some((probe) => !Object.is((plainToInstance(dto, { [field]: probe }) as Record<string, unknown>)[field], probe));

/** class-transformer takes fifty times as long as an assignment to copy values that are no objects. */
const isFlat = (given: object): boolean => Object.values(given).every((value) => typeof value !== 'object');

const checkedBody = (body: unknown, fields: ReadonlySet<string>): object => {
  if (typeof body !== 'object' || body === null) throw new InvalidRequest('The body is missing; send a JSON object.');
  const given = Object.entries(body);
  const unknown = given.find(([name]) => !fields.has(name));
  if (unknown) throw new InvalidRequest(unknownField(unknown[0], fields), 'unknown field');
  const hostile = given.find(([, value]) => holdsConstructor(value));
  if (hostile) throw new InvalidRequest(`\`${hostile[0]}\` holds a member of the name \`constructor\`.`, 'unknown field');
  return Object.fromEntries(given.filter(([, value]) => value !== null));
};

/** class-transformer would call such a member to copy its object. */
const holdsConstructor = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, 'constructor') || Object.values(value).some(holdsConstructor));

const unknownField = (name: string, fields: ReadonlySet<string>): string => {
  const meant = [...fields].find((field) => letters(field) === letters(name));
  return `\`${shown(name)}\` is not a field of this request${meant ? `; did you mean \`${meant}\`?` : '.'}`;
};

const letters = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

/** A field name of the caller, made safe for a message. */
const shown = (name: string): string => name.slice(0, 64).replaceAll(/[^\x20-\x7e]|[`]/g, '?');

const knownParameters = (query: unknown, fields: ReadonlySet<string>): object => {
  const parameters = Object.entries(query ?? {}).filter(([name]) => fields.has(name));
  const twice = parameters.find(([, value]) => Array.isArray(value));
  if (twice) throw new InvalidRequest(`\`${twice[0]}\` must be given once.`);
  return Object.fromEntries(parameters);
};
