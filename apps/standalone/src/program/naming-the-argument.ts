import { InvalidArguments } from '#service/config';
import { InvalidRequest } from '#kernel';

/** Turns the registry's refusal of a redirect URI into {@link InvalidArguments} with the registry's own words. */
export const namingTheArgument = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => {
    throw error instanceof InvalidRequest ? new InvalidArguments(`--client: ${error.detail ?? error.reason}`) : error;
  });

/** Turns the failure to listen on a port that another process has into {@link InvalidArguments}, for a program whose port is an argument. */
export const namingThePort = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => {
    const { code, syscall, port } = error as { code?: string; syscall?: string; port?: number };
    if (code !== 'EADDRINUSE' || syscall !== 'listen') throw error;
    throw new InvalidArguments(`Another process listens on port ${port}. Give another one with --port, or --port 0 for a free one.`);
  });
