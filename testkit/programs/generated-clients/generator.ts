import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

const VERSION = '7.25.0';
const SHA_256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const ARCHIVE = `openapi-generator-cli-${VERSION}.jar`;

/** What the pages say (docs/generated-clients.md): a field that the document does not name is no error, and no example or test is written. */
const OPTIONS = {
  properties: 'disallowAdditionalPropertiesIfNotPresent=false,hideGenerationTimestamp=true',
  global: 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false',
};

/** The documents of the repository. */
const DOCUMENTS = resolve(import.meta.dirname, '../../../docs');

export interface Generation {
  /** The audience of the document. */
  readonly audience: 'relying-party' | 'device' | 'admin';
  /** The generator's name of the language. */
  readonly language: string;
  /** Of the language: `name=value`, separated by commas. */
  readonly properties: string;
  /** The folder of the client. */
  readonly folder: string;
}

/** Generates a client. Throws when the document is not valid, or when the generator cannot read a part of it. */
export const generateClient = ({ audience, language, properties, folder }: Generation): void => {
  const document = join(DOCUMENTS, `openapi.${audience}.json`);
  const options = ['--additional-properties', `${OPTIONS.properties},${properties}`, '--global-property', OPTIONS.global];
  const said = execFileSync(
    'java',
    ['-XX:TieredStopAtLevel=1', '-jar', generator(), 'generate', '-i', document, '-g', language, '-o', folder, ...options],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 26,
    },
  );
  const errors = said.split('\n').filter((line) => /\bERROR\b/.test(line));
  if (errors.length > 0) throw new Error(errors.join('\n'));
};

/** The path of the OpenAPI Generator, fetched once into the user's cache folder. Needs Java 11 and Maven. Throws when it is another file than the one that we know. */
const generator = (): string => {
  const archive = join(TOOLS_CACHE, ARCHIVE);
  if (existsSync(archive)) return archive;
  const fetched = join(TOOLS_CACHE, `new-openapi-generator-${process.pid}`);
  mkdirSync(fetched, { recursive: true });
  try {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`;
    execFileSync('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${fetched}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    const digest = createHash('sha256')
      .update(readFileSync(join(fetched, ARCHIVE)))
      .digest('hex');
    if (digest !== SHA_256) throw new Error(`${ARCHIVE} is another file than expected: SHA-256 ${digest}`);
    renameSync(join(fetched, ARCHIVE), archive);
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
  return archive;
};
