import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { go, TOOLS_CACHE } from '../go/go.ts';
import { PythonEnvironment } from '../python/environment.ts';
import { generateClient, type Generation } from './generator.ts';

/** A program, with the variables that it needs beside those of a login. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Language {
  readonly name: string;
  /** How the names of its source files end. */
  readonly ending: string;
  /** Generates the client below the folder. */
  generate(folder: string, audience?: Generation['audience']): void;
  /** Compiles the client and a program that logs in with it. Absent where there is no compiler on the machines of the project. */
  readonly build?: (folder: string) => Program;
}

const SOURCES = import.meta.dirname;
const python = new PythonEnvironment('generated-client-1', join(SOURCES, 'python/requirements.txt'));

const generated = (language: string, properties: string): Language['generate'] => {
  return (folder, audience = 'relying-party') => generateClient({ audience, language, properties, folder: join(folder, 'client') });
};

const run = (program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): void => {
  execFileSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
};

export const PYTHON: Language = {
  name: 'Python',
  ending: '.py',
  generate: generated('python', 'packageName=countersign_client'),
  build: (folder) => {
    python.install();
    // Python has no compiler that finds a wrong name: it reads all modules.
    run(python.program('python'), ['-m', 'compileall', '-q', join(folder, 'client')], folder);
    return { command: [python.program('python'), join(SOURCES, 'python/login.py')], env: { PYTHONPATH: join(folder, 'client') } };
  },
};

/** Compiles the client for Go below the folder, without a program. */
export const compileGoClient = (folder: string): void => {
  const client = join(folder, 'client');
  go(['mod', 'edit', '-module', 'example.com/countersign/client'], { cwd: client });
  go(['build', './...'], { cwd: client });
};

export const GO: Language = {
  name: 'Go',
  ending: '.go',
  // The constants of all lists of values stand in one package: without a prefix two lists cannot both have `PENDING`.
  generate: generated('go', 'packageName=countersign,enumClassPrefix=true'),
  build: (folder) => {
    for (const file of ['go.mod', 'main.go']) copyFileSync(join(SOURCES, 'go', file), join(folder, file));
    compileGoClient(folder);
    go(['build', '-o', join(folder, 'login'), '.'], { cwd: folder });
    return { command: [join(folder, 'login')] };
  },
};

export const JAVA: Language = {
  name: 'Java',
  ending: '.java',
  generate: generated(
    'java',
    'library=native,openApiNullable=false,containerDefaultToNull=true,enumUnknownDefaultCase=true,invokerPackage=countersign.client,apiPackage=countersign.client.api,modelPackage=countersign.client.model',
  ),
  build: (folder) => {
    const client = join(folder, 'client');
    copyFileSync(join(SOURCES, 'java/Login.java'), join(client, 'src/main/java/Login.java'));
    const packages = join(folder, 'packages.txt');
    run('mvn', ['-q', '-B', 'compile', 'dependency:build-classpath', `-Dmdep.outputFile=${packages}`], client);
    const path = [join(client, 'target/classes'), readFileSync(packages, 'utf8').trim()].join(':');
    return { command: ['java', '-XX:TieredStopAtLevel=1', '-cp', path, 'Login'] };
  },
};

export const RUST: Language = {
  name: 'Rust',
  ending: '.rs',
  generate: generated('rust', 'packageName=countersign,packageVersion=0.0.0'),
  build: (folder) => {
    cpSync(join(SOURCES, 'rust'), folder, { recursive: true });
    // The crates that the client needs stay compiled.
    const target = join(TOOLS_CACHE, 'generated-client-rust');
    run('cargo', ['build', '--quiet', '--locked'], folder, {
      CARGO_TARGET_DIR: target,
      PATH: `${process.env['PATH']}:${process.env['HOME']}/.cargo/bin`,
    });
    return { command: [join(target, 'debug/login')] };
  },
};

export const C_SHARP: Language = {
  name: 'C#',
  ending: '.cs',
  generate: generated('csharp', 'packageName=Countersign.Client,library=httpclient'),
};
