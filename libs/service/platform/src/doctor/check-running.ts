import { isIPv6 } from 'node:net';

import type { PlatformSettings } from '#service/config';
import { within } from '#kernel';

import { read, TIME_LIMIT } from './ask-address.js';
import { type DoctorFinding, findingsOf } from './finding.js';

/** What `/readyz` answers. */
interface Readiness {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** The address where the operations of these settings answer on this machine. */
const operationsOf = ({ host, port, opsPort }: PlatformSettings): string => {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${opsPort ?? port}`;
};

/** Whether the service of these settings runs on this machine: it answers as Countersign where its operations are. */
export const isRunning = async (settings: PlatformSettings): Promise<boolean> => (await readinessOf(settings)) !== undefined;

/** What the running service says of itself. Ask the public addresses before: the service judges the proxies by the requests that arrive. */
export const checkRunning = async (settings: PlatformSettings): Promise<readonly DoctorFinding[]> => {
  const readiness = await readinessOf(settings);
  if (!readiness) return [];
  const failed = Object.entries(readiness.checks).filter(([, outcome]) => outcome !== 'ok');
  return [
    ...findingsOf(
      'the running service',
      readiness.status === 'ready'
        ? []
        : [`the running service is ${readiness.status}${failed.length > 0 ? `: ${failed.map(([name]) => name).join(', ')}` : ''}. Look at its log.`],
    ),
    ...findingsOf(
      'TRUSTED_PROXIES',
      (readiness.warnings ?? []).map((warning) => `TRUSTED_PROXIES: ${warning}`),
    ),
  ];
};

const readinessOf = async (settings: PlatformSettings): Promise<Readiness | undefined> => {
  const asked = await within(TIME_LIMIT, read(`${operationsOf(settings)}/readyz`)).catch(() => undefined);
  return asked && readinessIn(asked.text);
};

const readinessIn = (text: string): Readiness | undefined => {
  try {
    const { status, checks, warnings } = JSON.parse(text) as Partial<Readiness>;
    if (typeof status !== 'string' || typeof checks !== 'object') return undefined;
    return { status, checks, ...(Array.isArray(warnings) && { warnings: warnings.map(String) }) };
  } catch {
    return undefined;
  }
};
