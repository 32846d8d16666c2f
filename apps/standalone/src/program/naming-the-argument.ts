import { InvalidArguments } from '#service/config';
import { InvalidRequest } from '#kernel';

/** Turns a failure that an argument has caused into {@link InvalidArguments}: the registry's refusal of a redirect URI, in its own words, and a port on which another process listens. */
export const namingTheArgument = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => {
    throw explained(error);
  });

const explained = (error: unknown): unknown => {
  if (error instanceof InvalidRequest) return new InvalidArguments(`--client: ${error.detail ?? error.reason}`);
  const { code, syscall, port } = error as { code?: string; syscall?: string; port?: number };
  if (code !== 'EADDRINUSE' || syscall !== 'listen') return error;
  return new InvalidArguments(`Another process listens on port ${port}. Give another one with --port, or --port 0 for a free one.`);
};
