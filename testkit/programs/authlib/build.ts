import { join } from 'node:path';

import { PythonEnvironment } from '../python/environment.ts';

const environment = new PythonEnvironment('authlib-1.9.6', join(import.meta.dirname, 'requirements.txt'));

/** The Python of the environment with Authlib and Flask, whether or not it has been made. */
export const AUTHLIB = environment.program('python');

/** An application of Flask that logs in by Authlib. Arguments: its port, the file with the settings of the portal. */
export const AUTHLIB_APPLICATION = join(import.meta.dirname, 'application.py');

/** Authlib in the user's cache folder, installed once. Needs Python 3.11 with its module venv. Throws when it cannot be installed. */
export const installAuthlib = (): void => environment.install();
