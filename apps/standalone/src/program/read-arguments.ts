import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import { InvalidArguments } from '#service/config';

/** What `npm start -- …` takes. */
export interface StartArguments {
  /** Redirect URIs of the client to print. */
  readonly client: readonly string[];
}

/** What `countersign-sandbox …` takes. */
export interface SandboxArguments extends StartArguments {
  /** 0: any free one. */
  readonly port: number;
  /** Whether the addresses and clients are printed as one line of JSON. */
  readonly json: boolean;
  /** Whether the process ends with its standard input. */
  readonly untilStdinEnds: boolean;
}

const CLIENT = { client: { type: 'string', multiple: true } } as const;
const SANDBOX = { ...CLIENT, port: { type: 'string' }, json: { type: 'boolean' }, 'until-stdin-ends': { type: 'boolean' } } as const;

const LARGEST_PORT = 65_535;

/** The arguments after the program's name. Throws {@link InvalidArguments}. */
export const readStartArguments = (given: readonly string[]): StartArguments => {
  const { client = [] } = parse(given, CLIENT);
  return { client };
};

/** The arguments after the program's name. Throws {@link InvalidArguments}. */
export const readSandboxArguments = (given: readonly string[]): SandboxArguments => {
  const { client = [], port = '3000', json = false, 'until-stdin-ends': untilStdinEnds = false } = parse(given, SANDBOX);
  if (!/^\d{1,5}$/.test(port) || Number(port) > LARGEST_PORT)
    throw new InvalidArguments(`--port must be a number from 0 to ${LARGEST_PORT}, such as --port 3000; 0 takes a free one.`);
  return { client, port: Number(port), json, untilStdinEnds };
};

const parse = <Options extends ParseArgsOptionsConfig>(given: readonly string[], options: Options) => {
  try {
    return parseArgs({ args: [...given], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new InvalidArguments(`${firstSentence((error as Error).message)} The arguments are: ${usageOf(options)}.`);
  }
};

/** Node's own sentence names the argument; what follows tells how to write positional arguments, and there are none. */
const firstSentence = (message: string): string => `${message.split(/[.\n]/, 1)[0]?.trim() ?? ''}.`;

const MEANS: Readonly<Record<string, string>> = { client: '--client <redirect URI>', port: '--port <number>' };

const usageOf = (options: ParseArgsOptionsConfig): string =>
  Object.keys(options)
    .map((name) => MEANS[name] ?? `--${name}`)
    .join(', ');
