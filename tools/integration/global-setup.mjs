import { engines } from './engines.mjs';

/** Without an engine its suites are left out at a desk; where CI runs, a missing engine is a failure. */
export default async () => {
  globalThis.startedEngines = [];
  await Promise.all(
    engines.map(async ({ setting, start }) => {
      if (process.env[setting]) return;
      try {
        const { value, stop } = await start();
        globalThis.startedEngines.push(stop);
        process.env[setting] = value;
      } catch (error) {
        if (process.env.CI) throw error;
        process.stderr.write(`\nNothing for ${setting} can be started here, so what needs it is not tested: ${error.message}\n`);
      }
    }),
  );
};
