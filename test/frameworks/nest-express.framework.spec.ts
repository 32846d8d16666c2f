import { resolve } from 'node:path';

import { afterAll, beforeAll, describe } from '@jest/globals';

import { keepsTheRulesOfALogin } from '../support/login-site/index.js';
import { startedApp } from './support.js';

const COMPILER = resolve(import.meta.dirname, '../../node_modules/typescript7/bin/tsc');

/** As `nest new` makes them: a program of CommonJS. */
const MODULE = `import { Module } from '@nestjs/common';
import { AppController } from './app.controller';

@Module({ controllers: [AppController] })
export class AppModule {}
`;
const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    resolvePackageJsonExports: true,
    esModuleInterop: true,
    isolatedModules: true,
    declaration: true,
    removeComments: true,
    emitDecoratorMetadata: true,
    experimentalDecorators: true,
    target: 'es2023',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    rootDir: './src',
    outDir: './dist',
  },
  include: ['src'],
};

describe('an app of Nest on Express, as the README of the SDK has it', () => {
  let app: Awaited<ReturnType<typeof startedApp>>;
  beforeAll(async () => {
    app = await startedApp({
      name: 'nest-express',
      heading: 'Nest on Express',
      starter: { 'src/app.module.ts': MODULE, 'tsconfig.json': JSON.stringify(TSCONFIG) },
      build: [process.execPath, COMPILER, '-p', '.'],
      start: () => ['dist/main.js'],
    });
  });
  afterAll(async () => app[Symbol.asyncDispose]());

  keepsTheRulesOfALogin(() => app);
});
