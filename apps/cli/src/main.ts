import 'reflect-metadata';
import { InvalidSettings } from '#service/config';
import { CommanderError } from 'commander';

import { EXIT, Failure } from './failures.js';
import { buildProgram } from './program.js';

const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE;
  if (error instanceof Failure || error instanceof InvalidSettings) {
    process.stderr.write(`error: ${error.message}\n`);
    return error instanceof Failure ? error.exitCode : EXIT.USAGE;
  }
  throw error;
};

try {
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
