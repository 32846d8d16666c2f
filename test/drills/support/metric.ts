import type { ServiceProcess } from '../../../testkit/processes/service-process.ts';

/** Milliseconds in which a process that is alive answers. */
const TIME_LIMIT = 1_000;

/**
 * A metric of a process, the sum over the series that carry all of these labels. Undefined when the process does not answer, or has no
 * such series yet.
 */
export const metric = async (
  { url }: Pick<ServiceProcess, 'url'>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> => {
  const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(TIME_LIMIT) }).then(
    (response) => response.text(),
    () => '',
  );
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const values = text
    .split('\n')
    .filter((line) => new RegExp(`^${name}[ {]`).test(line) && wanted.every((label) => line.includes(label)))
    .map((line) => Number(line.slice(line.lastIndexOf(' '))));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value);
};
