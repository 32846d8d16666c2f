import { InvalidArguments, InvalidSettings } from '#service/config';
import { ServiceUnavailable } from '#kernel';

/** The failures of listening, with the settings that avoid them. */
const LISTEN_FAILURES: Readonly<Record<string, (port: number, address: string) => string>> = {
  EADDRINUSE: (port) => `Another process listens on port ${port}. Set PORT, OPS_PORT or DEMO_PORT to a free one.`,
  EACCES: (port) => `This user may not listen on port ${port}. Set PORT, OPS_PORT or DEMO_PORT to a port above 1023.`,
  EADDRNOTAVAIL: (_, address) => `This machine does not have the address ${address}. Set HOST to one of its addresses, or to 0.0.0.0.`,
};

/** Why the process cannot start, with the settings to change; for a defect, the stack. */
export const explainStartFailure = (error: unknown): string => {
  if (error instanceof InvalidSettings || error instanceof InvalidArguments) return error.message;
  if (error instanceof ServiceUnavailable)
    return `The service cannot start: ${error.reason}. Check DATA_DIR and, where they are set, ESDB_URL, KAFKA_BROKERS and REDIS_URL.`;
  const { code = '', syscall, port = 0, address = '' } = error as { code?: string; syscall?: string; port?: number; address?: string };
  const explain = syscall === 'listen' ? LISTEN_FAILURES[code] : undefined;
  if (explain) return explain(port, address);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
