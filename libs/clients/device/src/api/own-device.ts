import type { Answers } from './answers.js';

type Entry = Answers['GET /app/v1/devices']['devices'][number];

/** A phone of the person (specification/app.md#get-devices). */
export type OwnDevice = Pick<Entry, 'deviceId' | 'name' | 'enrolledAt' | 'current'>;

/** Another phone of the person. */
export interface OtherDevice extends OwnDevice {
  /** It was set up after this one, and the person has not said that it is known. */
  readonly isNew: boolean;
}

/** Undefined unless it is the list of the service. */
export const readOwnDevices = ({ devices }: Readonly<Record<string, unknown>>): readonly OwnDevice[] | undefined =>
  Array.isArray(devices) ? devices.flatMap(readOwnDevice) : undefined;

const readOwnDevice = (json: unknown): readonly OwnDevice[] => {
  if (typeof json !== 'object' || json === null) return [];
  const { deviceId, name, enrolledAt, current } = json as Readonly<Record<string, unknown>>;
  if (typeof deviceId !== 'string' || typeof name !== 'string' || typeof enrolledAt !== 'number') return [];
  return [{ deviceId, name, enrolledAt, current: current === true }];
};
