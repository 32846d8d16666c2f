import { join } from 'node:path';

import { PythonEnvironment } from '../python/environment.ts';

const environment = new PythonEnvironment('pytest-9.2.0', join(import.meta.dirname, 'requirements.txt'));

/** The Python of the environment with pytest and pytest-xdist, whether or not it has been made. */
export const PYTHON_WITH_PYTEST = environment.program('python');

/** pytest in the user's cache folder, installed once. Needs Python 3.11 with its module venv. Throws when it cannot be installed. */
export const installPytest = (): void => environment.install();
