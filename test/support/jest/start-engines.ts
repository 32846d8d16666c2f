import { engines, type StartedEngine } from './engines.ts';

/** Starts the engines that the environment does not name. At a desk the suites of a missing engine are skipped; in CI it is a failure. */
export default async (): Promise<void> => {
  const stops: StartedEngine['stop'][] = [];
  Object.assign(globalThis, { stopEngines: stops });
  await Promise.all(
    engines.map(async ({ setting, start }) => {
      if (process.env[setting]) return;
      try {
        const { value, stop } = await start();
        stops.push(stop);
        process.env[setting] = value;
      } catch (error) {
        if (process.env['CI']) throw error;
        process.stderr.write(`\nNothing for ${setting} can be started here, so its suites are skipped: ${String(error)}\n`);
      }
    }),
  );
};
