/** The npm scripts of a commit: where its layout is written down. */
export type Scripts = Readonly<Record<string, string>>;

/** How a commit starts its service. */
export interface Start {
  /** Those of Node. */
  readonly flags: readonly string[];
  /** The compiled file, from the commit's folder. */
  readonly main: string;
}

/** How a commit compiles its benchmarks, with its service. */
export interface Compilation {
  /** For a shell in the commit's folder. */
  readonly command: string;
  /** That of the compiled benchmarks, from the commit's folder. */
  readonly folder: string;
}

/** By the end of `npm start`: `… && exec node --flag dist/…/main.js`. Throws when it ends otherwise. */
export const startOf = ({ start = '' }: Scripts): Start => {
  const [, flags = '', main] = /(?:^|&& )exec node ((?:-\S+ )*)(\S+\.js)$/.exec(start) ?? [];
  if (main === undefined) throw new Error(`this \`npm start\` does not end in \`exec node …\`: ${start}`);
  return { flags: flags.split(' ').filter(Boolean), main };
};

/** By `npm run bench`: a build and then `node …/main.js`. Throws when it is otherwise. */
export const compilationOf = ({ bench = '' }: Scripts): Compilation => {
  const [, command, folder] = /^(.+) && node (?:-\S+ )*(\S+)\/main\.js$/.exec(bench) ?? [];
  if (command === undefined || folder === undefined) throw new Error(`this \`npm run bench\` does not end in \`node …/main.js\`: ${bench}`);
  return { command, folder };
};
