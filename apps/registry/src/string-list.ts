import { ValidateBy, type ValidationArguments } from 'class-validator';

export const StringList = (): PropertyDecorator =>
  ValidateBy({
    name: 'stringList',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
      defaultMessage: ({ property }: ValidationArguments) => `${property} must be an array of strings`,
    },
  });
