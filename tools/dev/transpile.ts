import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

export interface Transpiled {
  readonly javaScript: string;
  readonly sourceMap: string;
  /** Errors of syntax, formatted. Empty when there are none; types are not checked. */
  readonly faults: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The options of the build. A single file is transpiled without its package, so its module format is given here. */
const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as { config: { compilerOptions: object } };
const { rootDir: _, ...buildOptions } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options;
const compilerOptions: ts.CompilerOptions = { ...buildOptions, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

/**
 * Compiles one file as the build does, without reading any other.
 *
 * @param fileName from the root of the repository
 */
export const transpile = (fileName: string, source: string): Transpiled => {
  const { outputText, sourceMapText = '{}', diagnostics = [] } = ts.transpileModule(source, { compilerOptions, fileName, reportDiagnostics: true });
  const faults = ts.formatDiagnostics(diagnostics, { getCurrentDirectory: () => ROOT, getCanonicalFileName: (name) => name, getNewLine: () => '\n' });
  const map = JSON.parse(sourceMapText) as object;
  // Of one file alone the compiler does not know that its output lies under `dist`.
  const sources = [relative(join('dist', dirname(fileName)), fileName)];
  return { javaScript: outputText, sourceMap: JSON.stringify({ ...map, sources }), faults };
};
