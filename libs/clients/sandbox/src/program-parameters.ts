export interface SandboxOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Of your application, for the client that every sandbox has. Tests that make their own clients need none. */
  readonly redirectUris?: readonly string[];
}

/** The arguments of the program. */
export const programParameters = ({ port = 0, redirectUris = [] }: SandboxOptions): readonly string[] => [
  '--port',
  String(port),
  ...redirectUris.flatMap((uri) => ['--client', uri]),
  '--until-stdin-ends',
];
