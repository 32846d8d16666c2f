import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';

import type { HttpApp } from '#service/http';

/** The classes that check a request: of its body and of its query. */
export interface RequestClasses {
  readonly body?: Type<object>;
  readonly query?: Type<object>;
}

/** The classes of all requests of an application, by the `operationId` that Nest gives to the operation. */
export const requestClasses = (app: HttpApp): ReadonlyMap<string, RequestClasses> =>
  new Map(
    controllersOf(app).flatMap((controller) => methodsOf(controller).map((name) => [`${controller.name}_${name}`, classesOf(controller, name)])),
  );

/** The class and the classes of its nested objects. */
export const withNested = (dto: Type<object>): readonly Type<object>[] => [
  dto,
  ...rulesOf(dto)
    .filter(({ type }) => type === 'nestedValidation')
    .flatMap(({ propertyName }) => withNested(Reflect.getMetadata('design:type', dto.prototype as object, propertyName) as Type<object>)),
];

/** One rule of class-validator for one field. */
export type ValidationRule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The rules of class-validator for the fields of a class. */
export const rulesOf = (dto: Type<object>): readonly ValidationRule[] => getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);

const controllersOf = (app: HttpApp): readonly Type<object>[] =>
  [...app.get(ModulesContainer).values()].flatMap(({ controllers }) => [...controllers.values()].map(({ metatype }) => metatype as Type<object>));

const methodsOf = ({ prototype }: Type<object>): readonly string[] => Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

const classesOf = (controller: Type<object>, method: string): RequestClasses => {
  const places = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Readonly<Record<string, { index: number; data?: unknown }>>,
  );
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ?? []) as readonly Type<object>[];
  const checked = (kind: RouteParamtypes): Type<object> | undefined =>
    places
      .filter(([place, { data }]) => place.startsWith(`${kind}:`) && data === undefined)
      .map(([, { index }]) => types[index])
      .find((type) => type !== undefined && rulesOf(type).length > 0);
  const [body, query] = [checked(RouteParamtypes.BODY), checked(RouteParamtypes.QUERY)];
  return { ...(body && { body }), ...(query && { query }) };
};
