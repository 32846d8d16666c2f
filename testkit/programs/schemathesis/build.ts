import { join } from 'node:path';

import { PythonEnvironment } from '../python/environment.ts';

const environment = new PythonEnvironment('schemathesis-4.32.5', join(import.meta.dirname, 'requirements.txt'));

/** Schemathesis, which makes requests from an OpenAPI document; the path of its program, whether or not it is installed. */
export const SCHEMATHESIS = environment.program('schemathesis');

/** Whether it is installed. */
export const hasSchemathesis = (): boolean => environment.installed;

/** What Schemathesis has to know of this service: credentials, ids that exist. */
export const SCHEMATHESIS_HOOKS = join(import.meta.dirname, 'hooks.py');

/** Its settings. */
export const SCHEMATHESIS_SETTINGS = join(import.meta.dirname, 'schemathesis.toml');

/** Schemathesis in the user's cache folder, installed once. Needs Python 3.11 with its module venv. Throws when it cannot be installed. */
export const installSchemathesis = (): void => environment.install();
