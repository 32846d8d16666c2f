/** A use of what a package neither exports nor documents (docs/adr/0126-insides-of-packages.md). */
export interface InsideUse {
  readonly package: string;
  readonly version: string;
  readonly files: readonly string[];
  /** The contract test: a file that names package and version. */
  readonly test: string;
}

const ROW = /^\| `([^`]+)` \| (\d+\.\d+\.\d+) \| .+ \| (`[^|]+`) \| `([^`|]+)` \|$/gm;

/** The uses that the table of the decision names. */
export const declaredUses = (decision: string): readonly InsideUse[] =>
  [...decision.matchAll(ROW)].map(([, name = '', version = '', files = '', test = '']) => ({
    package: name,
    version,
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
    test,
  }));

/** The parts of a package's `package.json` that count. */
export interface Manifest {
  readonly exports?: unknown;
}

/** An import of a package or of a path inside it; paths of this project begin with `.`, `#` or `node:`. */
const IMPORT = /(?:from|import|import\(|require\(|resolve\(|\)\()\s*'((?:@[\w.-]+\/)?[\w][\w.-]*)(\/[^']+)?'/g;
/** Messages of Google that its manual tells to import by their path. */
const DOCUMENTED = /^google-protobuf\/google\/protobuf\//;

/**
 * The packages whose inside a source uses: by a path that they do not export, by the storage of rules of class-validator, by a cast that leaves the types of a package, or by a
 * class that overrides a method of a package's class.
 *
 * @param manifestOf what an installed package says of itself; undefined for modules of Node
 */
export const insidesUsedBy = (source: string, manifestOf: (name: string) => Manifest | undefined): readonly string[] => {
  const imports = [...source.matchAll(IMPORT)].flatMap(([, name = '', path = '']) => {
    const manifest = manifestOf(name);
    return manifest ? [{ name, path, manifest }] : [];
  });
  const reached = imports.filter(({ name, path, manifest }) => path !== '' && !DOCUMENTED.test(name + path) && !isExported(manifest, path));
  const stored = /\bgetMetadataStorage\b/.test(source) ? ['class-validator'] : [];
  const leavesTypes = /\bas unknown as (?!globalThis\.)/.test(source) && imports.some(({ name }) => CAST.has(name));
  const cast = leavesTypes ? imports.filter(({ name }) => CAST.has(name)).map(({ name }) => name) : [];
  const overridden = /\boverride\b/.test(source)
    ? imports.filter(({ name }) => CAST.has(name) && !EXTENDED.has(name) && extendsOneOf(name, source))
    : [];
  return [...new Set([...reached.map(({ name }) => name), ...stored, ...cast, ...overridden.map(({ name }) => name)])].sort();
};

/** Whether a class of the source extends one that it imports from the package. */
const extendsOneOf = (name: string, source: string): boolean =>
  [...source.matchAll(new RegExp(`\\{([^}]*)\\} from '${name}'`, 'g'))]
    .flatMap(([, names = '']) => names.split(','))
    .some((imported) => new RegExp(`\\bextends ${imported.trim().split(/\s/).at(-1)}\\b`).test(source));

/** The packages with classes whose instances a file keeps; a cast beside another package is about something else. */
const CAST = new Set(['@eventstore/db-client', 'prom-client', 'kafkajs', 'bullmq', 'fastify', 'ioredis', 'pg', 'kysely']);

/** Packages whose manuals tell to extend their classes. */
const EXTENDED = new Set(['kysely']);

/** By the name that is given, without patterns: a pattern such as `./*` exports everything and promises nothing. */
const isExported = ({ exports }: Manifest, path: string): boolean => typeof exports === 'object' && exports !== null && `.${path}` in exports;
