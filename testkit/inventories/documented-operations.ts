import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REFERENCE = join(import.meta.dirname, '../../docs/openapi.json');

export interface DocumentedOperation {
  /** `POST /app/v1/device`, with `:parameters`. */
  readonly name: string;
  /** The refusals of the reference: each status with each code. */
  readonly refusals: readonly { readonly status: number; readonly errorCode: string }[];
}

/** The inventory of operations: those of the reference, which is made from the controllers (docs/openapi.json). */
export const documentedOperations = (): readonly DocumentedOperation[] => {
  const { paths } = JSON.parse(readFileSync(REFERENCE, 'utf8')) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { readonly description?: string }>> }>>>
    >;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      refusals: Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, { description = '' }]) =>
          [...description.matchAll(/`([a-z_]+)`/g)].map(([, errorCode = '']) => ({ status: Number(status), errorCode })),
        ),
    })),
  );
};

/** The inventory of fields: the names of all members of bodies and answers, of parameters and of their allowed values, that the reference describes. */
export const documentedFields = (): readonly string[] => {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const { properties, name, enum: values } = value as { properties?: object; name?: unknown; enum?: unknown };
    for (const each of Object.keys(properties ?? {})) names.add(each);
    if (typeof name === 'string') names.add(name);
    if (Array.isArray(values)) for (const each of values) names.add(String(each));
    Object.values(value).forEach(walk);
  };
  walk(JSON.parse(readFileSync(REFERENCE, 'utf8')));
  return [...names].toSorted();
};
