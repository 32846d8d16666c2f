import { join } from 'node:path';

import { PythonEnvironment } from '../python/environment.ts';

const environment = new PythonEnvironment('pyhanko-0.38.0', join(import.meta.dirname, 'requirements.txt'));

/** The Python of the environment with pyHanko, whether or not it has been made. */
export const PYHANKO = environment.program('python');

/** Whether the environment has been made. */
export const hasPyHanko = (): boolean => environment.installed;

/** The program that judges containers. */
export const PYHANKO_CHECK = join(import.meta.dirname, 'check.py');

/** pyHanko in the user's cache folder, installed once. Needs Python 3.11 with its module venv. Throws when it cannot be installed. */
export const installPyHanko = (): void => environment.install();
